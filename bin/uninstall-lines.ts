import { counted } from './report'

type Named = { name: string }

/** What goes with a plugin, as `DELETE /api/plugins/:id` reports it. */
export type UninstallReport = {
  plugins: { id: string; name: string; version: string | null }[]
  records: 'trash' | 'keep'
  entities: (Named & { records: number | null })[]
  schemas: string[]
  types: string[]
  roles: string[]
  policies: Named[]
  blockedBy: { entity: string; pluginId: string | null; target: string }[]
  mentions: { policies: Named[]; apiKeys: Named[]; views: Named[] }
}

/** The report in words. */
export function uninstallLines(report: UninstallReport): string[] {
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
