import { isDeepStrictEqual } from 'node:util'
import type { Entity } from '@/lib/definitions/definition'
import type { IndexPart, IndexSpec } from '@/lib/tables/ddl-step'
import { addedIndexSpec, tableIndexes } from '@/lib/tables/table-indexes'
import type { IndexRequest } from './index-request'

/** What the request becomes in the present table; null when the table can't have it. */
export const specOf = (entity: Entity, wanted: IndexRequest): IndexSpec | null =>
  addedIndexSpec(entity, { ...wanted, createdAt: '' })

/** The name of an index that the table has and that does all the wanted one would; null without one. */
export function servingIndex(entity: Entity, wanted: IndexRequest): string | null {
  const spec = specOf(entity, wanted)
  if (!spec) return null
  const key: IndexSpec = {
    name: 'the primary key',
    method: 'btree',
    unique: true,
    parts: entity.keys.map((column) => ({ column })),
    maxBytes: null,
  }
  const found = [key, ...tableIndexes(entity)].find((index) => serves(index, spec, wanted, entity))
  return found?.name ?? null
}

/** Equal values may come in any order, since all of them are compared. */
function serves(
  index: IndexSpec,
  spec: IndexSpec,
  { parts, unique }: IndexRequest,
  { keys }: Entity,
): boolean {
  if (index.method !== spec.method || (unique && !index.unique)) return false
  const core = withoutKeys(spec.parts, keys)
  if (unique && index.parts.length !== core.length) return false
  const equal = spec.method === 'btree' ? parts.findIndex(({ use }) => use !== 'equal') : 0
  const free = Math.min(core.length, equal < 0 ? parts.length : equal)
  const begin = index.parts.slice(0, core.length)
  return isDeepStrictEqual(sortedStart(begin, free), sortedStart(core, free))
}

/** Without the key at its end, which only orders what is equal otherwise. */
function withoutKeys(parts: readonly IndexPart[], keys: readonly string[]): IndexPart[] {
  const last = parts.findLastIndex(
    (part) => part.natural || part.json || !keys.includes(part.column),
  )
  return last < 0 ? [...parts] : parts.slice(0, last + 1)
}

const sortedStart = (parts: readonly IndexPart[], count: number) => [
  ...parts.slice(0, count).sort((a, b) => (a.column < b.column ? -1 : 1)),
  ...parts.slice(count),
]
