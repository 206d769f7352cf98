import { isPlaceKind } from '@/lib/kinds/kind'
import { type FieldResolver, ID_FIELD } from './resolve-field'
import type { FieldRef, OutputField, ResolvedSort } from './resolved'
import type { SearchFaults } from './search-faults'
import type { SortInput } from './search-input'

/** The order; adds every fault to `faults`. `at`: where it is in the request, such as `expand.0.`. */
export function resolveSort(
  sort: SortInput[],
  fieldOf: FieldResolver,
  faults: SearchFaults,
  at = '',
): ResolvedSort[] {
  return sort.flatMap(({ field: name, direction }, index) => {
    const field = fieldOf(name)
    const fault = 'fault' in field ? field.fault : orderFault(field)
    if (!('fault' in field) && !fault) return { field, direction }
    faults.add(`${at}sort.${index}.field`, fault ?? '')
    return []
  })
}

const orderFault = ({ kind, name }: FieldRef): string | null =>
  isPlaceKind(kind)
    ? `"${name}" has no order; sort by "${name}.$distance" with the condition "near" on it`
    : null

/** What is returned, null for everything; adds every fault to `faults`. `at`: as of `resolveSort`. */
export function resolveFields(
  names: string[],
  fieldOf: FieldResolver,
  faults: SearchFaults,
  at = '',
): OutputField[] | null {
  if (names.length === 0) return null
  return [...new Set(names)].flatMap((name): OutputField[] => {
    if (name === ID_FIELD) return [{ type: 'id' }]
    const field = fieldOf(name)
    if (!('fault' in field)) return [{ type: 'field', field }]
    faults.add(`${at}fields.${names.indexOf(name)}`, field.fault)
    return []
  })
}
