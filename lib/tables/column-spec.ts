import type { Entity, Property, StoredColumn } from '@/lib/definitions/definition'
import { generatedBy, sqlTypeOf } from './column-type'
import { computedSql } from './ddl/computed-sql'
import type { ColumnSpec } from './ddl-step'

/** The state of an entity's table: every column, and the definition it was made for. */
export type StoredTable = { columns: StoredColumn[]; entity: Entity }

/** The column of a property in its entity's table. */
export function columnOf(entity: Entity, property: Property): ColumnSpec {
  const { definition } = entity
  const { computed } = property.rules
  const key = definition.keys.find((candidate) => candidate.key === property.name)
  return {
    name: property.name,
    sqlType: sqlTypeOf(property),
    notNull: key !== undefined || property.rules.required,
    generated: key ? generatedBy(key, property) : null,
    ...(computed === undefined ? {} : { computed: computedSql(computed, entity) }),
  }
}
