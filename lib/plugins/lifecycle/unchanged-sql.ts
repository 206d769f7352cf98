import { type SQL, sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import { pluginRecords } from '@/lib/db/schema'
import { type Entity, EXTRA_COLUMN } from '@/lib/definitions/definition'
import {
  CONTENT_COLUMN,
  given,
  INDEX_COLUMN,
  ORDINAL_COLUMN,
  PRESENCE_COLUMN,
  recordset,
  sameKey,
} from '@/lib/records/record-columns'
import { differsSql, givenFields, givenJson, type Shape } from './given-fields'
import type { Origin } from './origin'
import { keySql } from './record-sql'

/**
 * The indexes of those of the rows (with complete and different keys) that are not as before, as
 * `changed`. The others are given as the file gave them last, and stored so or deleted here: nothing of
 * them is to be written or remembered. Only reads, one row of each table for each of the rows.
 */
export function changedStatement(entity: Entity, origin: Origin, json: string, shape: Shape): SQL {
  const fields = givenFields(entity, shape)
  const columns = [
    ...entity.keys,
    ...fields.map(({ property }) => property.name),
    INDEX_COLUMN,
    EXTRA_COLUMN,
    PRESENCE_COLUMN,
    CONTENT_COLUMN,
    ORDINAL_COLUMN,
  ]
  const { pluginId, path } = origin
  const index = sql`n.${sql.identifier(INDEX_COLUMN)}`
  const isSameContent = sql`(${given(CONTENT_COLUMN)}, ${given(ORDINAL_COLUMN)}) is not distinct from (p.content, p.ordinal)`
  // In the order of their costs.
  const isAsBefore = sql`p.path = ${path}::text and p.base is not null and ${isSameContent}
    and (t."$k" is null or not ${differsSql(fields, shape)}) and (p.base || ${givenJson(entity, fields)}) = p.base`
  return sql`select coalesce(json_agg(${index}), '[]') as changed
    from ${recordset(entity, json, columns)}
    left join lateral (
      select ${keySql(entity, 't')} as "$k", t.* from ${tableSql(entity.table)} as t where ${sameKey(entity)}
    ) as t on true
    left join ${pluginRecords} as p on p.entity = ${entity.name}::text and p.plugin_id = ${pluginId}::text
      and p.key = coalesce(t."$k", ${keySql(entity, 'n')})
    where not coalesce(${isAsBefore}, false)`
}
