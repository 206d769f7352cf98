import { apiItem } from '@/lib/http/client'
import type { DefinitionsQuery, PluginDefinition } from '@/lib/lifecycle/model-contract'
import { getQueryClient } from '@/lib/query/client'
import { type ModelChange, planOptions } from './model-queries'

type Edited = Required<DefinitionsQuery> & {
  /** What a form says now, and what it said first; null: nothing. What is the same is left as it is written. */
  values: Record<string, unknown>
  former: Record<string, unknown>
}

const LISTS = { type: 'types', role: 'roles', policy: 'policies' } as const

/** Plans the next version of a plugin in which a definition says what was edited in a form. Throws `ApiError`. */
export async function planDefinition({ kind, name, ...edit }: Edited): Promise<ModelChange> {
  const query = { kind, name }
  const found = await apiItem<PluginDefinition>('/api/model/definitions', { query })
  const change: ModelChange = {
    plugin: found.plugin ?? '',
    lastHistoryId: found.lastHistoryId ?? undefined,
    [LISTS[kind]]: [editedDefinition(found.definition, edit)],
  }
  await getQueryClient().fetchQuery(planOptions(change))
  return change
}

/** A definition with what differs between the two states of a form; what is not written there stays. */
export function editedDefinition(
  definition: Record<string, unknown>,
  { values, former }: Pick<Edited, 'values' | 'former'>,
): Record<string, unknown> {
  const changed = Object.entries(values).filter(
    ([key, value]) => JSON.stringify(value ?? null) !== JSON.stringify(former[key] ?? null),
  )
  const merged = { ...definition, ...Object.fromEntries(changed) }
  return Object.fromEntries(
    Object.entries(merged).filter(([, value]) => value !== null && value !== undefined),
  )
}
