import type { SearchTarget } from '@/lib/registry/target'
import { KeptByOwner } from '@/lib/values/kept-by-owner'
import type { ResolvedSearch } from './resolved'
import type { SearchInput } from './search-input'

/** What of a search depends on names alone. */
export type NamedParts = Required<Pick<ResolvedSearch, 'sort' | 'fields' | 'group' | 'expand'>>

const shapes = new KeptByOwner<SearchTarget, NamedParts>()

/** What identifies the shape of a search; null where it also depends on values, or on tables that are joined. */
export function shapeKey(input: SearchInput): string | null {
  const { fields = NOTHING, sort, expand = NOTHING, size, q, groupBy } = input
  if (q !== undefined || groupBy || (expand.length > 0 && expand.some(hasConditions))) return null
  const names = `${textOf(fields)}${textOf(sort)}`
  return BEYOND.test(names) ? null : `${names}${textOf(expand)}${size}`
}

const NOTHING: never[] = []

// Lists of texts that were parsed before are one object.
const texts = new WeakMap<readonly unknown[], string>()

function textOf(list: readonly unknown[]): string {
  const known = texts.get(list)
  if (known !== undefined) return known
  const text = JSON.stringify(list)
  texts.set(list, text)
  return text
}

/** In names of a referred record, of a text search, or of places. */
const BEYOND = /[.$]/

const hasConditions = (one: NonNullable<SearchInput['expand']>[number]) =>
  typeof one !== 'string' && one.query.length > 0

/** The shape that the same target had before; what it is made of is not changed any more. */
export const keptShape = (target: SearchTarget, key: string | null): NamedParts | undefined =>
  key === null ? undefined : shapes.get(target, key)

export function keepShape(target: SearchTarget, key: string | null, shape: NamedParts): void {
  if (key !== null) shapes.set(target, key, shape)
}
