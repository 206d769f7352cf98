import { getQueryClient } from '@/lib/query/client'
import type { ExactJson } from '@/lib/values/exact-json'
import type { EntityRecord } from './types'

/** Shows other values of a record wherever its fields are listed. */
export function patchRow(entity: string, id: string, values: Record<string, ExactJson>): void {
  const patched = (record: EntityRecord): EntityRecord => {
    const shown = Object.entries(values).filter(([name]) => name in record)
    return { ...record, ...Object.fromEntries(shown) }
  }
  // Titles of references are kept below the same key.
  getQueryClient().setQueriesData({ queryKey: ['search', entity] }, (response: unknown) => {
    if (!isListed(response, id)) return response
    const data = response.data.map((one) => (one.persistenceId === id ? patched(one) : one))
    return { ...response, data }
  })
}

/** Asks again for lists that show fields of what one of these fields refers to. */
export function refreshRelated(entity: string, changed: readonly string[]): void {
  const isBeyond = (name: string) => changed.includes(name.slice(0, Math.max(0, name.indexOf('.'))))
  void getQueryClient().invalidateQueries({
    queryKey: ['search', entity],
    predicate: ({ state }) => {
      const { data } = (state.data ?? {}) as { data?: EntityRecord[] }
      return Object.keys(data?.[0] ?? {}).some(isBeyond)
    },
  })
}

function isListed(response: unknown, id: string): response is { data: EntityRecord[] } {
  const data = (response as { data?: unknown } | null | undefined)?.data
  return Array.isArray(data) && data.some((one) => one?.persistenceId === id)
}
