import type { SearchTarget } from '@/lib/registry/target'
import type { Expansion } from './resolved'

/** All on which the text of expanded references depends. Referred records are shown by their own definition and rule. */
export const formOfExpand = (expand: Expansion[]): unknown[] =>
  expand.map(({ field, column, relation: { target, field: referred, further }, expand, list }) => [
    field,
    column,
    target.table,
    numberOf(target.fields),
    Boolean(target.rule),
    referred.column,
    further.map((pair) => [pair.own.column, pair.field.column]),
    formOfExpand(expand),
    list ?? null,
  ])

const numbers = new WeakMap<SearchTarget['fields'], number>()
let lastNumber = 0

/** Identifies a list of fields, which is the same object for the same definition and rule. */
function numberOf(fields: SearchTarget['fields']): number {
  const known = numbers.get(fields) ?? ++lastNumber
  numbers.set(fields, known)
  return known
}
