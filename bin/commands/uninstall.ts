import { Client } from '../client'
import { EXIT, Failure, type Outcome } from '../failure'
import type { Io } from '../io'
import { pluginIdOf } from '../plugin-folder'
import { counted } from '../report'

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

type Named = { name: string }

/** What goes with a plugin, as `DELETE /api/plugins/:id` reports it. */
type UninstallReport = {
  plugins: { id: string; name: string; version: string | null }[]
  records: 'trash' | 'keep'
  entities: (Named & { records: number | null })[]
  schemas: string[]
  types: string[]
  roles: string[]
  policies: Named[]
  webhooks: string[]
  blockedBy: { entity: string; pluginId: string | null; target: string }[]
  mentions: { policies: Named[]; apiKeys: Named[]; views: Named[] }
}

/** The report in words. */
function uninstallLines(report: UninstallReport): string[] {
  const { plugins, entities, records, blockedBy, mentions } = report
  const what = records === 'keep' ? 'left without an owner' : 'to the trash'
  return [
    ...plugins.map(({ id, version }) => `uninstall  ${id} ${version ?? ''}`.trimEnd()),
    ...entities.map(
      ({ name, records: count }) =>
        `  ${name}: ${count === null ? 'its records' : counted(count, 'record')} ${what}`,
    ),
    ...listed('schemas', report.schemas),
    ...listed('types', report.types),
    ...listed('roles', report.roles),
    ...listed('policies', names(report.policies)),
    ...listed('webhooks', report.webhooks),
    ...blockedBy.map(
      ({ entity, pluginId, target }) =>
        `  refused: ${entity}${pluginId ? ` of ${pluginId}` : ''} needs ${target}`,
    ),
    ...listed('named by policies', names(mentions.policies)),
    ...listed('named by API keys', names(mentions.apiKeys)),
    ...listed('named by views', names(mentions.views)),
  ]
}

const names = (all: readonly Named[]) => all.map(({ name }) => name)

const listed = (what: string, all: readonly string[]): string[] =>
  all.length > 0 ? [`  ${what}: ${all.join(', ')}`] : []
