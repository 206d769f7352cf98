import type { InstallPreview } from '@/lib/installs/plan-contract'
import { Client } from '../client'
import { readDecisions } from '../decisions'
import { Failure, type Outcome } from '../failure'
import { logged } from '../install'
import { colorsOf, type Io } from '../io'
import { pluginIdOf } from '../plugin-folder'
import { conflictLines, counted, type ReportedFile, toned } from '../report'

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

/** A part of a rollback's report: the definitions, which have no target, or an entity. */
type Part = ReportedFile

const WORDS = {
  edited: 'since the install',
  values: ({ base, ours, theirs }: Record<'base' | 'ours' | 'theirs', string>) =>
    `installed as ${base}, now ${ours}, before ${theirs}`,
}

/** What a rollback would do. */
function rollbackPlanLines(io: Io, plan: InstallPreview): string[] {
  const { pluginId, version, installedVersion, files, seal } = plan
  const to = version === null ? 'before its first install' : `to ${version}`
  return [
    `Plan of a rollback of ${pluginId} ${installedVersion ?? ''} ${to}`.replace(/ +/g, ' '),
    ...partLines(io, files),
    `${changedIn(files)} would be rolled back`,
    colorsOf(io).dim(`seal: ${seal}`),
  ]
}

/** What a rollback has done; `history` is its own number. */
const rollbackLines = (io: Io, files: readonly Part[], history: number): string[] => [
  ...partLines(io, files),
  `${changedIn(files)} rolled back; entry ${history} in the history`,
]

const isQuiet = ({ status, conflictCount = 0 }: Part) =>
  status === 'unchanged' && conflictCount === 0

/** `definitions and 2 entities`. */
function changedIn(files: readonly Part[]): string {
  const changed = files.filter(({ status }) => status !== 'unchanged')
  const entities = changed.filter(({ target }) => target).length
  const parts = [
    changed.length > entities && 'definitions',
    entities > 0 && (entities === 1 ? '1 entity' : `${entities} entities`),
  ]
  return parts.filter(Boolean).join(' and ') || 'nothing'
}

function partLines(io: Io, files: readonly Part[]): string[] {
  const colors = colorsOf(io)
  return files
    .filter((file) => !isQuiet(file))
    .flatMap((file) => {
      const { target, status, changes = [] } = file
      const head = [toned(colors, status), target ?? 'definitions', colors.dim(countsOf(file))]
      return [
        head.filter(Boolean).join('  '),
        ...changes.map((change) => `    ${colors.dim(change)}`),
        ...conflictLines(file, colors, WORDS),
      ]
    })
}

function countsOf({ records, removed }: Part): string {
  const { updated = 0, created = 0 } = typeof records === 'object' ? records : {}
  const deleted = removed?.deleted ?? 0
  return [
    deleted > 0 && `${counted(deleted, 'record')} to the trash`,
    updated > 0 && `${updated} as before`,
    created > 0 && `${created} created again`,
  ]
    .filter(Boolean)
    .join(', ')
}
