import { hasOperators, isJsonKind, type Kind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import { isStorableText } from '@/lib/values/storable'
import { unknownName } from '@/lib/values/unknown-name'
import { type FieldResolver, UNSTORABLE_NAME } from './resolve-field'
import type { FieldRef, GroupColumn, GroupSort, ResolvedGroup } from './resolved'
import type { SearchFaults } from './search-faults'
import type { AggregateFunction, GroupInput, SearchInput } from './search-input'

/** Whether an aggregate function takes values of a kind; of JSON it uses the numbers. */
function takes(name: AggregateFunction, kind: Kind): boolean {
  if (name === 'COUNT') return true
  return name === 'MIN' || name === 'MAX' ? hasOperators(kind, 'order') : KINDS[kind].isSummed
}

/** Resolves `groupBy` and its sort; adds every fault to `faults`. */
export function resolveGroup(
  { groupBy, sort, fields }: SearchInput & { groupBy: GroupInput },
  fieldOf: FieldResolver,
  faults: SearchFaults,
): ResolvedGroup {
  if (fields && fields.length > 0) faults.add('fields', 'Groups only have the fields of "groupBy"')
  const grouped = [...new Set(groupBy.fields)].flatMap((name, index): GroupColumn[] => {
    const field = fieldOf(name)
    if (!('fault' in field)) return [{ type: 'field', label: name, field }]
    faults.add(`groupBy.fields.${index}`, field.fault)
    return []
  })
  const aggregates = groupBy.aggregate.flatMap(
    (aggregate, index) => resolveAggregate(aggregate, index, fieldOf, faults) ?? [],
  )
  const columns = [...grouped, ...aggregates]
  for (const [index, { label }] of columns.entries())
    if (columns.findIndex((column) => column.label === label) < index)
      faults.add('groupBy.aggregate', `"${label}" would come twice; give one of them an alias`)
  return { columns, sort: resolveSort(sort, columns, faults) }
}

function resolveAggregate(
  { function: name, field, alias }: GroupInput['aggregate'][number],
  index: number,
  fieldOf: FieldResolver,
  faults: SearchFaults,
): GroupColumn | null {
  const at = `groupBy.aggregate.${index}`
  if (!isStorableText(alias ?? '')) faults.add(`${at}.alias`, UNSTORABLE_NAME)
  if (field === undefined) {
    if (name === 'COUNT')
      return { type: 'aggregate', label: alias ?? 'count', function: name, field: null }
    faults.add(`${at}.field`, `${name} needs a field`)
    return null
  }
  const found = fieldOf(field)
  if ('fault' in found) faults.add(`${at}.field`, found.fault)
  else if (takes(name, found.kind))
    return { type: 'aggregate', label: alias ?? labelOf(name, field), function: name, field: found }
  else
    faults.add(
      `${at}.field`,
      `${name} does not suit "${field}", which is ${KINDS[found.kind].words('')}`,
    )
  return null
}

const labelOf = (name: AggregateFunction, field: string) => `${name.toLowerCase()}_${field}`

function resolveSort(
  sort: SearchInput['sort'],
  columns: GroupColumn[],
  faults: SearchFaults,
): GroupSort[] {
  const labels = columns.map(({ label }) => label)
  return sort.flatMap(({ field, direction }, index) => {
    const column = labels.indexOf(field)
    if (column >= 0) return [{ column, direction }]
    faults.add(`sort.${index}.field`, unknownName('column of the groups', field, labels))
    return []
  })
}

/** The kind of a column's values. */
export function kindOf(column: GroupColumn): Kind {
  if (column.type === 'field') return column.field.kind
  if (column.function === 'COUNT') return 'integer'
  if (column.function === 'AVG') return 'float'
  const kind = (column.field as FieldRef).kind
  return column.function === 'SUM' || isJsonKind(kind) ? 'decimal' : kind
}
