import { fieldLabel } from '@/components/data-table/field-label'
import { isSystemEntity } from '@/lib/definitions/names'
import type { Relation } from './relations'
import type { ColumnDescription } from './types'

/** Of the entities that the names of columns lead into, by their names. */
export type FieldsBeyond = Record<string, readonly ColumnDescription[]>

/** Query key of `FieldsBeyond`. */
export const fieldsBeyondKey = (entities: readonly string[]) => ['entity', entities] as const

/** The entities whose fields are columns here: `customer.name` leads into that of `customer`. */
export const entitiesBeyond = (
  columns: readonly ColumnDescription[],
  cols: readonly string[] | null,
): string[] => [
  ...new Set(
    (cols ?? []).flatMap((name) => referenceOf(columns, name)?.rules.reference?.entity ?? []),
  ),
]

/**
 * The chosen columns that are no fields of the entity: fields of what it refers to (`customer.name`), and how many records
 * a list has (`items.$count`). Names that lead nowhere are left out, as those of removed fields are.
 */
export const relatedColumns = (
  columns: readonly ColumnDescription[],
  relations: readonly Relation[],
  cols: readonly string[] | null,
  beyond: FieldsBeyond,
): ColumnDescription[] =>
  (cols ?? []).flatMap((name) => {
    const own = referenceOf(columns, name)
    if (!own)
      return relations.flatMap((relation) =>
        name === countName(relation) ? countOf(relation) : [],
      )
    const fields = beyond[own.rules.reference?.entity ?? ''] ?? []
    return fields.flatMap((field) =>
      name === `${own.name}.${field.name}` ? through(own, field) : [],
    )
  })

/** The own reference that a name begins with; a field that has the whole name comes first, as on the server. */
function referenceOf(columns: readonly ColumnDescription[], name: string) {
  const first = name.split('.', 1)[0]
  const isOwn = columns.some((column) => column.name === name)
  const own = isOwn ? undefined : columns.find((column) => column.name === first)
  const { reference } = own?.rules ?? {}
  return reference && !isSystemEntity(reference.entity) ? own : undefined
}

/** What it is called in `fields` how many records a list has. */
export const countName = ({ name }: Pick<Relation, 'name'>): string => `${name}.$count`

const labelOf = (...parts: string[]) => parts.join(' › ')

/** A column of another entity's records: it is read with the own ones, and changed elsewhere. */
export const isRelated = ({ name, declared }: Pick<ColumnDescription, 'name' | 'declared'>) =>
  declared && name.includes('.')

/** Fields that are returned only where they are asked for by name; the names of own ones have no dots. */
const RELATED = { declared: true, hidden: true }

function through(own: ColumnDescription, field: ColumnDescription): ColumnDescription {
  const { reference, ...rules } = field.rules
  const { roles: _, column: __, ...display } = field.display ?? {}
  const within = (name: string) => `${own.name}.${name}`
  const further = Object.entries(reference?.with ?? {}).map(([name, to]) => [within(name), to])
  const isFurther = further.length > 0
  return {
    ...field,
    ...RELATED,
    name: within(field.name),
    label: labelOf(fieldLabel(own), fieldLabel(field)),
    display,
    rules: {
      ...rules,
      ...(reference && {
        reference: { ...reference, with: isFurther ? Object.fromEntries(further) : undefined },
      }),
    },
  }
}

const countOf = (relation: Relation): ColumnDescription => ({
  ...RELATED,
  name: countName(relation),
  label: labelOf(relation.label, 'how many'),
  description: null,
  type: 'integer',
  kind: 'integer',
  key: false,
  operators: [],
  rules: {},
})
