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

function isListed(response: unknown, id: string): response is { data: EntityRecord[] } {
  const data = (response as { data?: unknown } | null | undefined)?.data
  return Array.isArray(data) && data.some((one) => one?.persistenceId === id)
}
