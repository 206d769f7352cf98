import { type SQL, sql } from 'drizzle-orm'
import { tableSql, textArray } from '@/lib/db/sql'
import { type Entity, EXTRA_COLUMN } from '@/lib/definitions/definition'
import type { Drift } from '@/lib/lifecycle/contract'
import { checkedProperties } from '@/lib/rows/record-schema'
import { imageSql, isBaseValue, isUntouched, keySql, recordsOf, valueJson } from './record-sql'

const BASE = sql`p.base`
const EXTRA = sql`t.${sql.identifier(EXTRA_COLUMN)}`

/** `p`: what the plugin gave; `t`: what is stored, null where it was deleted. */
const baseAndStored = (entity: Entity, pluginId: string, chosen: (key: SQL) => SQL): SQL => {
  const key = keySql(entity, 't')
  // The nodes of a cluster return their rows, and the coordinator compares them.
  const alone = entity.isDistributed ? sql`where ${chosen(key)} offset 0` : sql``
  return sql`${recordsOf(entity)} as p left join (select ${key} as "$key", t.* from ${tableSql(entity.table)} as t ${alone}) as t
    on t."$key" = p.key
    where p.plugin_id = ${pluginId}::text and p.entity = ${entity.name}::text and p.base is not null and ${chosen(sql`p.key`)}`
}

/** The keys of what is stored, which the coordinator of a cluster compares. */
function storedKeys(entity: Entity, chosen: (key: SQL) => SQL): SQL {
  const key = keySql(entity, 't')
  const alone = entity.isDistributed ? sql`offset 0` : sql``
  return sql`select ${key} as "$key" from ${tableSql(entity.table)} as t where ${chosen(key)} ${alone}`
}

/**
 * The relation of a plugin's records of an entity that differ: entity, key, change. In, and out:
 *
 *     base     1: { price: 3 }    2: { price: 5 }    3: { price: 6 }
 *     stored   1: { price: 3 }    2: { price: 9 }                       4: { price: 7 }
 *     →        2 edited, 3 deleted, 4 added
 */
export function driftSql(
  entity: Entity,
  pluginId: string,
  change?: Drift['change'],
  keys: readonly string[] | null = null,
): SQL {
  const chosen = (column: SQL) => (keys ? sql`${column} = any(${textArray(keys)})` : sql`true`)
  const name = sql`${entity.name}::text as entity`
  const parts: SQL[] = []
  if (change !== 'added')
    parts.push(sql`select ${name}, p.key, case when t."$key" is null then 'deleted' else 'edited' end as change
      from ${baseAndStored(entity, pluginId, chosen)} and ${conditionOf(entity, change)}`)
  if (change === undefined || change === 'added')
    parts.push(sql`select ${name}, t."$key" as key, 'added' as change from (${storedKeys(entity, chosen)}) as t
      where not exists (select from ${recordsOf(entity)} as p
        where p.entity = ${entity.name}::text and p.key = t."$key")`)
  return sql.join(parts, sql` union all `)
}

function conditionOf(entity: Entity, change: Drift['change'] | undefined): SQL {
  const isDeleted = sql`t."$key" is null`
  if (change === 'deleted') return isDeleted
  const isEdited = sql`(t."$key" is not null and ${editedSql(entity)})`
  return change === 'edited' ? isEdited : sql`(${isDeleted} or ${isEdited})`
}

/** The whole is compared first, which is faster. A record that was there before keeps fields of its own. */
const editedSql = (entity: Entity): SQL =>
  sql`case when ${imageSql(entity, 't')} = ${BASE} then false
    when p.created_by is not null then not ${isUntouched(entity, 't', BASE)}
    else jsonb_array_length(${fieldsSql(entity)}) > 0 end`

/** Whether a column keeps the value of the name `k`, which is no longer declared. */
const isHeld = sql`(${EXTRA} -> k is null and coalesce(to_jsonb(t.*) -> k = ${BASE} -> k, false))`

/** The fields that differ, as `[{ field, base, ours }]`. */
function fieldsSql(entity: Entity): SQL {
  const properties = checkedProperties(entity).filter(({ name }) => !entity.keys.includes(name))
  const differing = properties.map((property) => {
    const name = sql`${property.name}::text`
    const value = sql`t.${sql.identifier(property.name)}`
    const isPlugins = sql`(p.created_by is not null or ${BASE} ? ${name})`
    const item = sql`jsonb_build_object('field', ${name}, 'base', coalesce(${BASE} -> ${name}, 'null'), 'ours', ${valueJson(property, value)})`
    return sql`case when ${isPlugins} and not ${isBaseValue(entity, property, value, BASE)} then ${item} end`
  })
  const declared = textArray(checkedProperties(entity).map(({ name }) => name))
  const extra = sql`(select jsonb_agg(jsonb_build_object('field', k, 'base', coalesce(${BASE} -> k, 'null'),
      'ours', coalesce(${EXTRA} -> k, 'null')) order by k)
    from (select distinct k from jsonb_object_keys((${BASE} - ${declared})
      || case when p.created_by is not null then coalesce(${EXTRA}, '{}') else '{}' end) as k) as names
    where ${EXTRA} -> k is distinct from ${BASE} -> k and not ${isHeld})`
  const list = sql`to_jsonb(array_remove(array[${sql.join(differing, sql`, `)}]::jsonb[], null))`
  return sql`(${list} || coalesce(${extra}, '[]'))`
}

/** The differing fields of some records: key, fields. */
export const differingFields = (entity: Entity, pluginId: string, keys: readonly string[]): SQL =>
  sql`select p.key, ${fieldsSql(entity)}::text as fields
    from ${baseAndStored(entity, pluginId, (key) => sql`${key} = any(${textArray(keys)})`)} and t."$key" is not null`
