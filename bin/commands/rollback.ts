import type { InstallPreview } from '@/lib/plugins/plan-contract'
import { Client } from '../client'
import { readDecisions } from '../decisions'
import { Failure } from '../failure'
import { logged } from '../install'
import type { Io } from '../io'
import type { Outcome } from '../outcome'
import { pluginIdOf } from '../plugin-folder'
import { rollbackLines, rollbackPlanLines } from '../rollback-lines'

type Options = {
  install?: string
  onConflict?: string
  decisions?: string
  plan?: boolean
  seal?: string
}
type Result = { history: number; totalFiles: number; failedCount: number; plan?: InstallPreview }

/** Takes back an install: the last one of a plugin, unless its number is given. */
export async function rollback(
  io: Io,
  plugin: string,
  { install, onConflict, decisions: file, plan, seal }: Options,
): Promise<Outcome> {
  const client = new Client(io)
  const number = install ?? (await lastInstall(client, await pluginIdOf(plugin, io.cwd)))
  const query = { onConflict, dryRun: plan ? 'true' : undefined, seal: plan ? undefined : seal }
  const path = `/api/plugins/history/${encodeURIComponent(number)}/rollback`
  const decisions = await readDecisions(io, file)
  const body = decisions === undefined ? undefined : `{"decisions":${decisions}}`
  const { data } = (await client.json(path, { method: 'POST', query, body })) as { data: Result }
  if (data.plan) {
    const failed = data.plan.failedCount > 0
    return { lines: rollbackPlanLines(io, data.plan), json: data.plan, failed }
  }
  const done = await logged(client, data)
  return { lines: rollbackLines(io, done.files, done.history), json: done }
}

type Entry = { id: number; kind: string; status: string; rollbackOf: number | null }

/** The last install that is in effect: rollbacks, and what they took back, are left out. */
async function lastInstall(client: Client, id: string): Promise<string> {
  const entries = await client.all<Entry>('/api/plugins/history', {
    filter: `pluginId:eq:${JSON.stringify(id)}`,
    sort: 'id:desc',
    fields: 'id,kind,status,rollbackOf',
  })
  const undone = new Set<number | null>()
  for (const { id: number, kind, status, rollbackOf } of entries) {
    if (undone.has(number) || (status !== 'SUCCESS' && status !== 'PARTIAL')) continue
    if (kind === 'rollback') undone.add(rollbackOf)
    else if (kind === 'install') return String(number)
    else break
  }
  throw new Failure(`No install of ${id} is left to be taken back`)
}
