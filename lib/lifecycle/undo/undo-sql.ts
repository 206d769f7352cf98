import { type SQL, sql } from 'drizzle-orm'
import { pluginChanges, pluginRecords } from '@/lib/db/schema'
import { tableSql, textArray } from '@/lib/db/sql'
import { type Entity, EXTRA_COLUMN, type Property } from '@/lib/definitions/definition'
import { incoming, stored } from '@/lib/rows/record-columns'
import { isBaseValue, isUntouched, keySql, valueJson } from '../base/record-sql'
import { returnedConflicts } from './undo-returned'
import {
  changesOf,
  createdRecords,
  declared,
  extra,
  fieldsOf,
  isLost,
  leftBy,
  ofPlugin,
  recordOf,
  type Undo,
} from './undo-source'

const BASE = sql`p.base`

/** Remembers what was remembered of every record concerned, so that the undo can be undone. */
export const recordRemembered = (entity: Entity, undo: Undo): SQL =>
  sql`insert into ${pluginChanges} (install_id, entity, key, change, remembered)
    select ${undo.as}::bigint, ${entity.name}::text, k.key, 'unchanged', to_jsonb(p.*) from (
      select c.key from ${pluginChanges} as c where ${changesOf(entity, undo)}
      union select p.key from ${pluginRecords} as p where ${ofPlugin(entity, undo)} and p.created_by = ${undo.installId}::bigint
    ) as k left join ${pluginRecords} as p on ${ofPlugin(entity, undo)} and p.key = k.key
    on conflict do nothing`

export const isUnedited = (entity: Entity): SQL =>
  sql`(p.base is not null and ${isUntouched(entity, 't', BASE)})`

/** Notes the rows of records that are about to go or to change. */
export const recordRows = (
  entity: Entity,
  undo: Undo,
  change: 'deleted' | 'updated',
  source: SQL,
): SQL =>
  sql`update ${pluginChanges} as j set change = ${change}, before = s.before || coalesce(j.before, '{}')
    from (select p.key, to_jsonb(t.*) as before from ${source}) as s
    where j.install_id = ${undo.as}::bigint and j.entity = ${entity.name}::text and j.key = s.key`

/** `c`: the change; `p`: what the install left; `n`: the record before it; `t`: as it is, null where deleted. */
const changed = (entity: Entity, undo: Undo): SQL =>
  sql`${pluginChanges} as c join ${leftBy(entity, undo)} on p.key = c.key
    cross join lateral ${recordOf(entity, sql`c.before`)}
    left join ${tableSql(entity.table)} as t on ${keySql(entity, 't')} = c.key
    where ${changesOf(entity, undo)} and c.change = 'updated'`

/** Whether the install changed the field, and whether somebody did since. */
const wasChanged = (entity: Entity, property: Property): SQL => {
  const name = sql`${property.name}::text`
  return sql`(c.before ? ${name} and (${BASE} ? ${name} or p.created_by is not null) and not ${isBaseValue(entity, property, incoming(property.name), BASE)})`
}
const isEdited = (entity: Entity, property: Property): SQL => {
  const [current, former] = [stored(property.name), incoming(property.name)]
  return sql`(not ${isBaseValue(entity, property, current, BASE)} and ${valueJson(property, current)} <> ${valueJson(property, former)})`
}

/** Whether the name `k` had no column in use when the install changed the record, and has none now. */
const isUndeclared = (entity: Entity): SQL =>
  sql`((not c.before ? k or c.before -> ${EXTRA_COLUMN}::text ? k) and k <> all(${declared(entity)}))`

/** Whether the record lacks the name `k`, whose column is no longer in use: its base may tell what that column held. */
const isHidden = sql`(c.before ? k and ${extra('t')} -> k is null)`

/** The undeclared names that the install changed and somebody since. */
const editedExtra = (entity: Entity): SQL =>
  sql`array(select k from (select distinct jsonb_object_keys(${extra('n')} || (${BASE} - ${declared(entity)})) as k) as names
    where ${isUndeclared(entity)} and ${extra('n')} -> k is distinct from ${BASE} -> k and ${extra('t')} -> k is distinct from ${BASE} -> k
      and ${extra('t')} -> k is distinct from ${extra('n')} -> k and not ${isHidden} order by k)`

/**
 * The records that the install changed or deleted and somebody changed or created since: key, change, fields as JSON text.
 * The first 100, or those of `keys`. `edited`: what it changed; `created`: what it created and is no longer as it left it;
 * `returned`: others that have the keys of records that it deleted. In, and out:
 *
 *     before   1: { price: 3 }    2: { price: 5 }
 *     left     1: { price: 4 }    2: deleted         3: created
 *     stored   1: { price: 9 }    2: { price: 7 }    3: as it was created
 *     →        1 edited [{ field: "price", base: 4, ours: 9, theirs: 3 }]
 *              2 edited [{ field: "price", base: null, ours: 7, theirs: 5 }]
 */
export function disputedRecords(entity: Entity, undo: Undo, keys?: readonly string[]): SQL {
  const items = fieldsOf(entity).map((property) => {
    const item = sql`jsonb_build_object('field', ${property.name}::text, 'base', ${BASE} -> ${property.name}::text,
      'ours', ${valueJson(property, stored(property.name))}, 'theirs', ${valueJson(property, incoming(property.name))})`
    return sql`case when ${wasChanged(entity, property)} and ${isEdited(entity, property)} then ${item} end`
  })
  const undeclared = sql`coalesce((select jsonb_agg(jsonb_build_object('field', k, 'base', coalesce(${BASE} -> k, 'null'),
      'ours', coalesce(${extra('t')} -> k, 'null'), 'theirs', coalesce(${extra('n')} -> k, 'null')))
    from unnest(${editedExtra(entity)}) as k), '[]')`
  const fields = sql`(to_jsonb(array_remove(array[${sql.join(items, sql`, `)}]::jsonb[], null)) || ${undeclared})`
  const first = sql`t.${sql.identifier(entity.keys[0] ?? '')}`
  const which = keys
    ? sql`and key = any(${textArray(keys)})`
    : sql`order by length(key), key limit 100`
  return sql`with edited as (
      select c.key, case when ${first} is null then 'deleted' else 'edited' end as change,
        case when ${first} is null then '[]'::jsonb else ${fields} end as fields, false as "$created"
      from ${changed(entity, undo)}
    ), created as (
      select p.key, 'edited', '[]'::jsonb, true from ${createdRecords(entity, undo)} and not ${isUnedited(entity)}
    ), returned as (
      select *, false from (${returnedConflicts(entity, undo)}) as r
    )
    select key, change, fields::text as fields, count(*) over ()::int as total
    from (table edited union all table created union all table returned) as disputed
    where (change = 'deleted' or fields <> '[]' or "$created") ${which}`
}

/** The records that were changed and are stored: `p`, `t`. */
export const changedRecords = (entity: Entity, undo: Undo): SQL =>
  sql`${leftBy(entity, undo)} join ${tableSql(entity.table)} as t on ${keySql(entity, 't')} = p.key
    where exists (
      select from ${pluginChanges} as c where ${changesOf(entity, undo)} and c.key = p.key and c.change = 'updated')`

/** Gives the fields that the install changed their former values, except for `later` ones. */
export function restoreChanged(entity: Entity, undo: Undo, later?: ReadonlySet<string>): SQL {
  const lost = isLost(entity, undo, sql`c.key`)
  const fields = fieldsOf(entity).filter(({ name }) => !later?.has(name))
  const assignments = fields.map((property) => {
    const isTaken = sql`(${lost} or not ${isEdited(entity, property)})`
    return sql`${sql.identifier(property.name)} = case when ${wasChanged(entity, property)} and ${isTaken}
      then ${incoming(property.name)} else ${stored(property.name)} end`
  })
  const kept = sql`case when ${lost} then '{}'::text[] else ${editedExtra(entity)} end`
  const names = sql`select distinct jsonb_object_keys(${extra('n')} || (${BASE} - ${declared(entity)}) || ${extra('t')}) as k`
  const isLeft = sql`(${extra('n')} -> k is distinct from ${BASE} -> k or ${isHidden})`
  const value = sql`case when ${isUndeclared(entity)} and ${isLeft} and k <> all(${kept}) then ${extra('n')} -> k else ${extra('t')} -> k end`
  assignments.push(sql`${sql.identifier(EXTRA_COLUMN)} =
    (select jsonb_object_agg(k, v) from (select k, ${value} as v from (${names}) as names) as merged where v is not null)`)
  if (entity.definition.auditable) {
    const edited = fieldsOf(entity).map((property) => isEdited(entity, property))
    const isAnyEdited = sql.join([...edited, sql`${editedExtra(entity)} <> '{}'`], sql` or `)
    const audit = (name: string, former: SQL) =>
      sql`${sql.identifier(name)} = case when ${isAnyEdited} then ${stored(name)} else ${former} end`
    for (const name of ['LastUpdatedAt', 'LastUpdatedBy'])
      assignments.push(audit(name, incoming(name)))
    // Others after a record that was put back in place of another.
    for (const name of ['CreatedAt', 'CreatedBy'])
      assignments.push(
        audit(
          name,
          sql`case when c.before ? ${name}::text then ${incoming(name)} else ${stored(name)} end`,
        ),
      )
  }
  return sql`update ${tableSql(entity.table)} as t set ${sql.join(assignments, sql`, `)}
    from ${pluginChanges} as c join ${leftBy(entity, undo)} on p.key = c.key
      cross join lateral ${recordOf(entity, sql`c.before`)}
    where ${changesOf(entity, undo)} and c.change = 'updated' and ${keySql(entity, 't')} = c.key`
}

/** Forgets what the install remembered, and remembers what was before it. */
export const forget = (name: string, undo: Undo): SQL =>
  sql`delete from ${pluginRecords} as p where ${ofPlugin({ name }, undo)} and (p.created_by = ${undo.installId}::bigint
    or exists (select from ${pluginChanges} as c where ${changesOf({ name }, undo)} and c.key = p.key))`
export const rememberAgain = (name: string, undo: Undo): SQL =>
  sql`insert into ${pluginRecords} select r.* from ${pluginChanges} as c
      cross join lateral jsonb_populate_record(null::engine.plugin_records, c.remembered) as r
    where ${changesOf({ name }, undo)} and c.remembered is not null on conflict do nothing`
