import 'server-only'
import type { NamedRule } from '@/lib/auth/rules-for'
import type { Deps } from '@/lib/deps'
import { listEntities } from '@/lib/registry/registry'
import type { PolicySource } from './contract'

/** Policies name entities in lower case; those that are installed are shown by their names. */
export async function policySources(
  deps: Pick<Deps, 'db' | 'bus' | 'log'>,
  rules: readonly NamedRule[],
): Promise<PolicySource[]> {
  const names = new Map((await listEntities(deps)).map(({ name }) => [name.toLowerCase(), name]))
  const byName = new Map(rules.map((rule) => [rule.name, rule]))
  return [...byName.values()].map(({ name, pluginId, allow, entities, actions }) => ({
    ...{ name, pluginId, allow },
    entities: entities.map((entity) => names.get(entity) ?? entity),
    actions: [...actions],
  }))
}
