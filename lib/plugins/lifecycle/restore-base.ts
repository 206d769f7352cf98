import { type SQL, sql } from 'drizzle-orm'
import { tableSql, textArray } from '@/lib/db/identifiers'
import { pluginRecords } from '@/lib/db/schema'
import {
  AUDIT_FIELDS,
  type Entity,
  EXTRA_COLUMN,
  type Property,
} from '@/lib/definitions/definition'
import { defaultsOf } from '@/lib/rows/compiled-entity'
import { columnList, incoming, sameKey, singleRecord, stored } from '@/lib/rows/record-columns'
import { checkedProperties } from '@/lib/rows/record-schema'
import type { Signature } from '@/lib/rows/record-statements'

type Chosen = { pluginId: string; keys: readonly string[] }

/** `p`: what the plugin gave of the chosen records; `n`: the same in the types of the columns. */
function givenRows(entity: Entity, { pluginId, keys }: Chosen): SQL {
  const names = checkedProperties(entity).map(({ name }) => name)
  return sql`${pluginRecords} as p cross join lateral ${singleRecord(entity, sql`p.base::text`, names)}
    where p.plugin_id = ${pluginId}::text and p.entity = ${entity.name}::text and p.key = any(${textArray(keys)})
      and p.base is not null`
}

/** Fields that the plugin did not give are as in a new record. */
function absent(entity: Entity, { name }: Property): SQL {
  const value = defaultsOf(entity).get(name)
  if (value === undefined || typeof value === 'function') return sql`null`
  return sql`(jsonb_populate_record(null::${tableSql(entity.table)}, ${JSON.stringify({ [name]: value })}::text::jsonb)).${sql.identifier(name)}`
}

const undeclared = (entity: Entity): SQL =>
  sql`(p.base - ${textArray(checkedProperties(entity).map(({ name }) => name))})`

/** Gives stored records the fields that the plugin gave them; others stay in records that were there before. */
export function restoreEdited(entity: Entity, chosen: Chosen, { actorName, now }: Signature): SQL {
  const settable = checkedProperties(entity).filter(({ name }) => !entity.keys.includes(name))
  const assignments = settable.map((property) => {
    const { name } = property
    const other = sql`case when p.created_by is null then ${stored(name)} else ${absent(entity, property)} end`
    return sql`${sql.identifier(name)} = case when p.base ? ${name}::text then ${incoming(name)} else ${other} end`
  })
  const extra = sql.identifier(EXTRA_COLUMN)
  const own = sql`case when p.created_by is null then coalesce(${stored(EXTRA_COLUMN)}, '{}') else '{}' end`
  assignments.push(sql`${extra} = nullif(${own} || ${undeclared(entity)}, '{}')`)
  if (entity.definition.auditable)
    assignments.push(
      sql`"LastUpdatedAt" = ${now.toISOString()}::timestamptz`,
      sql`"LastUpdatedBy" = ${actorName}::text`,
    )
  return sql`update ${tableSql(entity.table)} as t set ${sql.join(assignments, sql`, `)}
    from ${givenRows(entity, chosen)} and ${sameKey(entity)}`
}

/** Creates deleted records as the plugin gave them. */
export function restoreDeleted(entity: Entity, chosen: Chosen, { actorName, now }: Signature): SQL {
  const settable = checkedProperties(entity)
  const values = settable.map((property) => {
    const { name } = property
    return sql`case when p.base ? ${name}::text then ${incoming(name)} else ${absent(entity, property)} end`
  })
  const at = sql`${now.toISOString()}::timestamptz`
  const by = sql`${actorName}::text`
  const audit = entity.definition.auditable ? [at, by, at, by] : []
  const names = [...settable.map(({ name }) => name), EXTRA_COLUMN]
  if (entity.definition.auditable) names.push(...AUDIT_FIELDS)
  const all = [...values, sql`nullif(${undeclared(entity)}, '{}')`, ...audit]
  return sql`insert into ${tableSql(entity.table)} (${columnList(names)})
    select ${sql.join(all, sql`, `)} from ${givenRows(entity, chosen)} on conflict (${columnList(entity.keys)}) do nothing`
}
