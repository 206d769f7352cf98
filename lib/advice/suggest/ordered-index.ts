import { type IndexRequest, partOf, request } from '@/lib/advice/index-request'
import { isJson, isSortable } from '@/lib/advice/read-index-request'
import type { AddedPart, Entity } from '@/lib/definitions/definition'
import type { SearchShape } from '@/lib/definitions/search-shape'
import { hasOperators } from '@/lib/kinds/kind'
import type { FieldResolver } from '@/lib/search/resolve-field'
import type { FieldRef } from '@/lib/search/resolved'
import type { Classified } from './classify-test'

/** More compared fields narrow little and make the index large. */
const MAX_EQUAL = 3

/**
 * One B-tree: fields compared with one value first, then the sort, or else a range. Without compared
 * fields a sort alone helps only where no other index narrows the search.
 */
export function orderedIndex(
  entity: Entity,
  { sort, groupBy }: SearchShape,
  tests: readonly Classified[],
  fieldOf: FieldResolver,
  distinct: ReadonlyMap<string, number>,
): { request: IndexRequest; why: string }[] {
  const equal = equalFields(tests, distinct)
  const range = tests.find(({ use }) => use === 'range')?.ref ?? null
  const narrowed = tests.some(({ use }) => use === 'pattern' || use === 'json')
  const order = groupBy || (narrowed && equal.length === 0) ? [] : sortParts(sort, fieldOf)
  const compared = new Set(equal.map(({ column }) => column))
  const rest = order.filter(({ column, path }) => path.length > 0 || !compared.has(column))
  const tail = rest.length > 0 ? rest : range ? [partOf(range, 'sort')] : []
  const parts = [...equal.map((ref) => partOf(ref, 'equal')), ...tail]
  if (parts.length === 0 || isKey(entity, parts)) return []
  const words = [
    ...(equal.length > 0 ? [`finds records by ${named(equal)}`] : []),
    ...(tail.length > 0
      ? [rest.length > 0 ? sorted(rest) : `reads a range of ${range?.name}`]
      : []),
  ].join(' and ')
  return [{ request: request('btree', parts), why: words.charAt(0).toUpperCase() + words.slice(1) }]
}

/** The most selective first, as far as that is known; a flag last. */
function equalFields(tests: readonly Classified[], distinct: ReadonlyMap<string, number>) {
  const found = tests.filter(({ use, ref }) => use === 'equal' && ref)
  const rank = ({ operator, ref }: Classified) =>
    ref && !hasOperators(ref.kind, 'order')
      ? 3
      : operator === 'in'
        ? 2
        : operator === 'isnull'
          ? 1
          : 0
  const count = ({ ref }: Classified) => distinct.get(ref?.column ?? '') ?? 0
  const ordered = [...found].sort((a, b) => rank(a) - rank(b) || count(b) - count(a))
  const refs = ordered.flatMap(({ ref }) => ref ?? [])
  const unique = new Map(refs.map((ref): [string, FieldRef] => [ref.column, ref]))
  return [...unique.values()].slice(0, MAX_EQUAL)
}

/** The fields from the first on that one index has in this order. */
function sortParts(sort: SearchShape['sort'], fieldOf: FieldResolver): AddedPart[] {
  const parts: AddedPart[] = []
  for (const [index, { field, direction }] of sort.entries()) {
    const ref = fieldOf(field)
    if ('fault' in ref || direction !== sort[0]?.direction) break
    // Descending, empty values are found apart, which works for the first field alone.
    if (index > 0 && (isJson(ref) || parts.some(({ path }) => path.length > 0))) break
    if (index > 0 && direction === 'desc' && ref.nullable) break
    if (isJson(ref) && !isSortable(ref)) break
    parts.push(partOf(ref, 'sort', isJson(ref) && direction === 'desc'))
    if (isJson(ref)) break
  }
  return parts
}

const isKey = ({ keys }: Entity, parts: readonly AddedPart[]) =>
  parts.every(({ column }, index) => column === keys[index])

const named = (fields: readonly FieldRef[]) => fields.map(({ name }) => name).join(', ')
const sorted = (parts: readonly AddedPart[]) =>
  `returns them in the order of ${parts.map(({ field }) => field).join(', ')}`
