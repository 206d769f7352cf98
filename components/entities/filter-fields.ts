import { fieldLabel } from '@/components/data-table/field-label'
import type { Beyond } from '@/components/data-table/filter/beyond'
import type { FilterField } from '@/components/data-table/filter/field'
import type { FieldReference } from '@/lib/definitions/definition'
import { isSystemEntity } from '@/lib/definitions/names'
import { getQueryClient } from '@/lib/query/client'
import { columnsOptions } from './entity-queries'
import { titleOptions } from './reference-titles'
import type { ColumnDescription } from './types'
import { userHeldBy } from './user-field'

/** Whether the user may read an entity. */
type MayRead = (entity: string) => boolean

/** The fields of an entity as filters need them; references lead to the entities that may be read. */
export const toFilterFields = (
  columns: readonly ColumnDescription[],
  mayRead: MayRead,
): FilterField[] =>
  columns.map((column) => {
    const { reference } = column.rules
    return {
      name: column.name,
      label: fieldLabel(column),
      kind: column.kind,
      // The id of another record is no number to count with either.
      key: column.key || reference !== undefined,
      enum: column.rules.enum,
      reference,
      user: userHeldBy(column),
      beyond: reference && mayRead(reference.entity) ? beyondOf(reference, mayRead) : undefined,
    }
  })

function beyondOf(reference: FieldReference, mayRead: MayRead): Beyond | undefined {
  const { entity, field, with: further } = reference
  // Conditions do not follow references into these.
  if (isSystemEntity(entity)) return undefined
  return {
    entity,
    fields: filterFieldsOptions(entity, mayRead),
    ...(further ? {} : { title: (value) => titleOptions({ entity, values: { [field]: value } }) }),
  }
}

const filterFieldsOptions = (entity: string, mayRead: MayRead): Beyond['fields'] => ({
  queryKey: ['entity', entity, 'filter-fields'],
  queryFn: async () => {
    const { data } = await getQueryClient().fetchQuery(columnsOptions(entity))
    return toFilterFields(data, mayRead)
  },
  staleTime: 60_000,
})
