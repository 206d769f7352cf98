import { type SQL, sql } from 'drizzle-orm'
import { pluginChanges } from '@/lib/db/schema'
import { type Db, rows, tableSql, textArray } from '@/lib/db/sql'
import { type Entity, EXTRA_COLUMN } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { columnList, incoming, stored } from '@/lib/rows/record-columns'
import { keySql, valueJson } from '../base/record-sql'
import { stageRecords } from '../base/stage-records'
import { CONVERTED } from '../changes/record-converted'
import {
  changesOf,
  createdRecords,
  declared,
  extra,
  fieldsOf,
  isLost,
  recordOf,
  type Undo,
} from './undo-source'

/**
 * The records that have the keys of those that the install deleted: `c`: the change; `n`: the record before it;
 * `t`: as it is. Others that the install created are `createdRecords`.
 */
const standing = (entity: Entity, undo: Undo): SQL =>
  sql`(select c.key, c.before from ${pluginChanges} as c where ${changesOf(entity, undo)} and c.change = 'deleted'
      and c.key in (select ${keySql(entity, 't')} from ${tableSql(entity.table)} as t)
      and not exists (select from ${createdRecords(entity, undo)} and p.key = c.key) offset 0) as c
    cross join lateral ${recordOf(entity, sql`c.before`)}
    join ${tableSql(entity.table)} as t on ${keySql(entity, 't')} = c.key`

/** What differs between the record before the install and the one that has its key, as fields of a conflict. */
function differences(entity: Entity): SQL {
  const items = fieldsOf(entity).map((property) => {
    const [current, former] = [stored(property.name), incoming(property.name)].map((value) =>
      valueJson(property, value),
    )
    return sql`case when ${current} <> ${former} then jsonb_build_object('field', ${property.name}::text,
      'base', null, 'ours', ${current}, 'theirs', ${former}) end`
  })
  const [current, former] = [extra('t'), extra('n')]
  const undeclared = sql`coalesce((select jsonb_agg(jsonb_build_object('field', k, 'base', null,
      'ours', coalesce(${current} -> k, 'null'), 'theirs', coalesce(${former} -> k, 'null')) order by k)
    from jsonb_object_keys(${current} || ${former}) as k
    where k <> all(${declared(entity)}) and ${current} -> k is distinct from ${former} -> k), '[]')`
  return sql`(to_jsonb(array_remove(array[${sql.join(items, sql`, `)}]::jsonb[], null)) || ${undeclared})`
}

/** The records that somebody created in place of others that the install deleted: key, change, fields. */
export const returnedConflicts = (entity: Entity, undo: Undo): SQL =>
  sql`select c.key, 'edited', ${differences(entity)} from ${standing(entity, undo)}`

/** Those of them in whose place the former ones are wanted: `p`, `t`. */
export const takenRecords = (entity: Entity, undo: Undo): SQL =>
  sql`(select c.key from ${standing(entity, undo)}
      where ${isLost(entity, undo, sql`c.key`)} and ${differences(entity)} <> '[]') as p
    join ${tableSql(entity.table)} as t on ${keySql(entity, 't')} = p.key`

/** Columns of the table, and names that were columns when records were deleted. */
type ReturnedFields = { columns: readonly string[]; undeclared: readonly string[] }

/** Inserts records as they were before the install: those of the changes `c` where `which`. */
function insertFormer(
  entity: Entity,
  undo: Undo,
  { columns, undeclared }: ReturnedFields,
  which: SQL,
): SQL {
  const converted = sql`coalesce(c.before -> ${CONVERTED}::text, '{}')`
  const others = sql`select jsonb_object_agg(e.key, e.value) from jsonb_each(c.before || ${converted}) as e
    where e.key = any(${textArray(undeclared)}) and (e.value <> 'null' or ${converted} ? e.key)`
  const values = columns.map((name) =>
    name === EXTRA_COLUMN && undeclared.length > 0
      ? sql`nullif(${extra('r')} || coalesce((${others}), '{}'), '{}')`
      : sql`r.${sql.identifier(name)}`,
  )
  return sql`insert into ${tableSql(entity.table)} as t (${columnList(columns)}) overriding system value
      select ${sql.join(values, sql`, `)} from ${pluginChanges} as c
        cross join lateral jsonb_populate_record(null::${tableSql(entity.table)}, c.before) as r
      where ${changesOf(entity, undo)} and ${which}`
}

/** Whether the record of the change `c` is to be created again: the install deleted it or, if asked, somebody did since. */
const isToReturn = (entity: Entity, undo: Undo): SQL =>
  sql`(c.change = 'deleted' or (c.change = 'updated' and ${isLost(entity, undo, sql`c.key`)}))`

/** Creates these records again, as far as no stored record has their keys or unique values. */
export const restoreRows = (entity: Entity, undo: Undo, fields: ReturnedFields): SQL =>
  sql`with made as (
      ${insertFormer(entity, undo, fields, isToReturn(entity, undo))} on conflict do nothing returning ${keySql(entity, 't')} as key
    )
    update ${pluginChanges} as j set change = 'created', before = null from made
    where j.install_id = ${undo.as}::bigint and j.entity = ${entity.name}::text and j.key = made.key`

/** The note `j` that the undo has of the change `c`. */
const noteOf = ({ as }: Undo): SQL =>
  sql`${pluginChanges} as j where j.install_id = ${as}::bigint and j.entity = c.entity and j.key = c.key`

/** Puts records back in place of the taken ones. */
export function overwriteRows(entity: Entity, undo: Undo, fields: ReturnedFields): SQL {
  const isNoted = sql`exists (select from ${noteOf(undo)} and j.change = 'updated')`
  const which = sql`c.change = 'deleted' and ${isNoted}`
  const changing = fields.columns.filter((name) => !entity.keys.includes(name))
  const assignments = changing.map(
    (name) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`,
  )
  return sql`${insertFormer(entity, undo, fields, which)}
    on conflict (${columnList(entity.keys)}) do update set ${sql.join(assignments, sql`, `)}`
}

const MAX_NAMED = 10

/** Throws `conflict` when records were not created again since others have their unique values. */
export async function requireNoneLeftOut(tx: Db, entity: Entity, undo: Undo): Promise<void> {
  const left = sql`select c.key from ${pluginChanges} as c where ${changesOf(entity, undo)}
    and ${isToReturn(entity, undo)} and exists (select from ${noteOf(undo)} and j.change not in ('created', 'updated'))`
  if ((await rows(tx, sql`${left} limit 1`)).length === 0) return
  const staged = await stageRecords(tx, entity)
  const isStored = sql`exists (select from ${tableSql(staged.table)} as t where ${keySql(entity, 't')} = left_out.key)`
  const found = await rows<{ key: string; total: number }>(
    tx,
    sql`select key, count(*) over ()::int as total from (${left}) as left_out
      where not ${isStored} order by length(key), key limit ${MAX_NAMED}`,
  )
  const total = found[0]?.total ?? 0
  if (total === 0) return
  const names = found.map(({ key }) => `"${key}"`).join(', ')
  const more = total > found.length ? ` and ${total - found.length} more` : ''
  throw new AppError(
    'conflict',
    `Records of "${entity.name}" can't be created again, as other records have taken their unique values: ${names}${more}. Nothing was changed`,
  )
}
