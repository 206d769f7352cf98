import { useMemo } from 'react'
import { fieldLabel } from '@/components/data-table/field-label'
import type { Beyond } from '@/components/data-table/filter/beyond'
import type { FilterField } from '@/components/data-table/filter/field'
import { useViewer } from '@/components/shell/viewer'
import { holderOf } from '@/components/shell/viewer-of'
import { can } from '@/lib/auth/rights'
import type { FieldReference } from '@/lib/definitions/definition'
import { isSystemEntity } from '@/lib/definitions/names'
import { isTextKind } from '@/lib/kinds/kind'
import { getQueryClient } from '@/lib/query/client'
import { columnsOptions } from './entity-queries'
import { titleOptions } from './reference-titles'
import { type Relation, relationsOf } from './relations'
import type { ColumnDescription } from './types'

/** The fields that the user can filter by, with the ways to entities that the user may read. */
export function useFilterFields(
  columns: readonly ColumnDescription[],
  relations: readonly Relation[] = NONE,
): FilterField[] {
  const viewer = useViewer()
  return useMemo(() => {
    const mayRead = (entity: string) => can(holderOf(viewer), { entity, action: 'read' })
    return toFilterFields(columns, mayRead, relations)
  }, [columns, viewer, relations])
}

const NONE: readonly Relation[] = []

/** Whether the user may read an entity. */
type MayRead = (entity: string) => boolean

/** The fields of an entity as filters need them; references lead to the entities that may be read. */
const toFilterFields = (
  columns: readonly ColumnDescription[],
  mayRead: MayRead,
  relations: readonly Relation[],
): FilterField[] => [
  ...columns.map((column): FilterField => {
    const { reference } = column.rules
    return {
      name: column.name,
      label: fieldLabel(column),
      kind: column.kind,
      // The id of another record is no number to count with either.
      key: column.key || reference !== undefined,
      enum: column.rules.enum,
      display: column.display,
      reference,
      user: userHeldBy(column),
      beyond: reference && mayRead(reference.entity) ? beyondOf(reference, mayRead) : undefined,
    }
  }),
  ...relations.map(
    ({ name, label, entity }): FilterField => ({
      name,
      label,
      kind: 'text',
      relation: { entity, fields: filterFieldsOptions(entity, mayRead) },
    }),
  ),
]

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
    const response = await getQueryClient().fetchQuery(columnsOptions(entity))
    return toFilterFields(response.data, mayRead, relationsOf(response))
  },
  staleTime: 60_000,
})

const SIGNATURES = ['CreatedBy', 'LastUpdatedBy']
const OF_USERS = /(^|_)(user|owner|assignee|author|reviewer|approver)(_id)?$|_by$/

/**
 * What a field holds of users, as far as its reference or its name tells: ids, or email addresses, which signatures
 * are made of. Undefined where it holds none.
 */
export function userHeldBy({
  name,
  kind,
  rules,
}: Pick<ColumnDescription, 'name' | 'kind' | 'rules'>): FilterField['user'] {
  if (!isTextKind(kind) || rules.enum) return undefined
  if (SIGNATURES.includes(name)) return 'email'
  if (rules.reference?.entity === 'EngineUsers')
    return rules.reference.field === 'email' ? 'email' : 'id'
  if (rules.reference) return undefined
  const words = name.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_').toLowerCase()
  return OF_USERS.test(words) ? 'id' : undefined
}
