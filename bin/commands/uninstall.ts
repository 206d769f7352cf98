import { Client } from '../client'
import { EXIT, Failure } from '../failure'
import type { Io } from '../io'
import type { Outcome } from '../outcome'
import { pluginIdOf } from '../plugin-folder'
import { type UninstallReport, uninstallLines } from '../uninstall-lines'

type Options = { records?: string; with?: string; plan?: boolean; yes?: boolean }

/** Removes a plugin after showing what goes with it, and asking. */
export async function uninstall(
  io: Io,
  plugin: string,
  { records, with: others, plan, yes }: Options,
): Promise<Outcome> {
  const id = await pluginIdOf(plugin, io.cwd)
  const client = new Client(io)
  const remove = async (dryRun?: 'true') => {
    const path = `/api/plugins/${encodeURIComponent(id)}`
    const query = { records, with: others, dryRun }
    const { data } = await client.json(path, { method: 'DELETE', query })
    return data as UninstallReport[]
  }
  if (plan) return outcome(await remove('true'))
  if (!yes) await approve(io, id, await remove('true'))
  return outcome(await remove(), `${id} is uninstalled`)
}

async function approve(io: Io, id: string, [report]: UninstallReport[]): Promise<void> {
  if (!io.ask)
    throw new Failure(
      'Uninstalling removes entities and records: add --yes, or see --plan',
      EXIT.usage,
    )
  for (const line of report ? uninstallLines(report) : []) io.err(`${line}\n`)
  const answer = await io.ask(`Type the plugin's id (${id}) to uninstall it: `)
  if (answer.trim() !== id) throw new Failure('Nothing was uninstalled')
}

function outcome([report]: UninstallReport[], ...more: string[]): Outcome {
  const lines = report ? uninstallLines(report) : []
  return { lines: [...lines, ...more], json: report ?? null }
}
