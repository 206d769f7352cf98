import type { UninstallReport } from '@/lib/plugins/uninstall-contract'
import type { Removal } from './removal'
import type { Counts } from './report'

/** What uninstalling did to one plugin, in words for the history, and the number of its records. */
export function describeUninstall(
  pluginId: string,
  { entities, schemas, types, roles, policies }: Removal,
  { records }: UninstallReport,
  counts: Counts,
): { changes: string[]; recordCount: number } {
  const isOwn = (one: { pluginId: string | null }) => one.pluginId === pluginId
  const own = entities.filter(({ row }) => isOwn(row))
  const countOf = (name: string) => counts.get(name)?.value ?? 0
  const fate = records === 'trash' ? 'moved to the trash' : 'kept, without an owner'
  const named = (kind: string, all: readonly { name: string; pluginId: string | null }[]) =>
    all.filter(isOwn).map(({ name }) => `${kind} ${name}`)
  const definitions = [...named('Schema', schemas), ...named('Type', types)]
  const rules = [...named('Role', roles), ...named('Policy', policies)]
  return {
    changes: [
      ...own.map(({ row: { name } }) => `Entity ${name} with ${countOf(name)} records: ${fate}`),
      ...definitions.map((name) => `${name}: ${fate}`),
      ...rules.map((name) => `${name}: moved to the trash`),
    ],
    recordCount: records === 'trash' ? own.reduce((sum, { row }) => sum + countOf(row.name), 0) : 0,
  }
}
