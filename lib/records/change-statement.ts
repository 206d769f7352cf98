import { type SQL, sql } from 'drizzle-orm'
import { insertAudit } from '@/lib/audit/record-audit'
import { type CompiledStatement, StatementCache } from '@/lib/db/compiled-statement'
import { tableSql } from '@/lib/db/sql'
import type { Entity, UpdateStrategy } from '@/lib/definitions/definition'
import { isCurrent } from '@/lib/registry/definition-version'
import { targetOf } from '@/lib/registry/target'
import type { Presence } from '@/lib/rows/prepared-row'
import {
  ID_COLUMN,
  INDEX_COLUMN,
  REQUEST_COLUMN,
  requestedRows,
  sameKey,
  sameKeyIn,
} from '@/lib/rows/record-columns'
import { changesOf, differs } from '@/lib/rows/record-statements'
import { idSql, recordJson } from '@/lib/search/record-json'
import { changeDetails, shownFields } from './change/change-details'
import type { ChangeRecorder } from './points'

/** What the text of a statement depends on, besides the entity. */
export type ChangeShape = {
  strategy: UpdateStrategy
  presence: Presence
  /** Undeclared fields to remove. */
  removed: readonly string[]
  /** Whether the record must have one of the versions `etags`. */
  isMatched: boolean
  /** What records the change. */
  recorders: readonly ChangeRecorder[]
  /** Whether it changes the records of several requests; those that others have locked are left as they are. */
  isShared: boolean
}

const statements = new StatementCache<Entity>()

/**
 * One statement that changes a record, or a different one for each of several requests, and records that in the audit log. Returns
 * a row for each record that it found, with one of the versions `etags` if they matter: the request's place from 1 on, and its new state as JSON text, which is
 * null when it was not changed since others have changed it meanwhile. Returns no row
 * when the definition is no longer that of `entity`. Placeholders: `rows`, `audit`, `at`, `by`, `etags` (a JSON list).
 *
 *     rows           {"$id":"1","$request":"r1","id":1,"title":"New"}, of several requests a list
 *     "$incoming"    ('1', 'r1', 1, 'New', 1)
 *     "$old"         (1, 'Old', …, true)               the row, and whether the new values differ
 *     "$changed"     (1, 'New', …)                     the row after the change; none if it has another version by now
 *     "$states"      ('1', {"id":1,"title":"Old"}, {"id":1,"title":"New"})
 *     "$recorded0"…  what recorders write of it
 *     "$audit"       an entry for each request, after them: it gets the number of the change
 */
export const changeStatement = (entity: Entity, shape: ChangeShape): CompiledStatement =>
  statements.find(entity, JSON.stringify(shape), () => {
    const changes = changesOf(entity, shape.presence, shape.strategy, shape)
    const assigned = [...changes, ...signature(entity)]
    const names = assigned.map(({ name }) => name)
    const set = assigned.map(({ name, value }) => sql`${sql.identifier(name)} = ${value}`)
    const isDifferent = sql.join(changes.map(differs), sql` or `)
    const columns = [...new Set([...entity.keys, ...changes.map(({ name }) => name)])]
    const json = recordJson(targetOf(entity), null)
    const recorded = recordersSql(entity, shape)
    return sql`with "$incoming" as materialized (${requestedRows(entity, columns, shape.isShared)}),
      "$old" as materialized (
        select t.*, t.xmin as "$xmin", ${REQUEST}, (${isDifferent}) as "$differs"
        from ${tableSql(entity.table)} as t, "$incoming" as n where ${isRecord(entity)} and ${isCurrent(entity)}
          ${shape.isMatched ? sql`and ${isMatch(entity)}` : sql``}
        ${shape.isShared ? sql`for no key update of t skip locked` : sql``}),
      "$changed" as (
        update ${tableSql(entity.table)} as t set ${sql.join(set, sql`, `)} from "$old" as o, "$incoming" as n
        where n.${POSITION} = o.${POSITION} and ${sameKeyIn('o', entity)} and t.xmin = o."$xmin" and o."$differs"
        returning t.*, o.${POSITION}, o.${ID})${recorded.parts},
      "$audit" as (${insertAudit(sql.placeholder('audit'), recordedChanges(entity, names, recorded.names), ADDED)})
      select o.${POSITION}::int as at, case when c.${POSITION} is not null then (select ${json} from (select c.*) as "$record")
          when not o."$differs" then (select ${json} from (select o.*) as "$record") end as json
      from "$old" as o left join "$changed" as c on c.${POSITION} = o.${POSITION}`
  })

const POSITION = sql.identifier(INDEX_COLUMN)
const ID = sql.identifier(ID_COLUMN)
const REQUEST = sql`n.${POSITION}, n.${ID}, n.${sql.identifier(REQUEST_COLUMN)}`
const ADDED = {
  objectId: sql`one.${ID}`,
  requestId: sql`one.${sql.identifier(REQUEST_COLUMN)}`,
  details: sql`one.details`,
}

/** The rows `t` and `n` have the same key, and `t` the id of `n` as text: `01` is not the id of record 1. */
export const isRecord = (entity: Entity): SQL =>
  sql`${sameKey(entity)} and (select ${idSql(targetOf(entity))} from (select t.*) as "$record") = n.${ID}`

/** As `etagOf`. */
const isMatch = (entity: Entity): SQL => {
  const json = sql`(select ${recordJson(targetOf(entity), null)} from (select t.*) as "$record")`
  const digest = sql`translate(encode(sha256(convert_to(${json}, 'UTF8')), 'base64'), '+/=', '-_')`
  return sql`'"' || ${digest} || '"' in (select json_array_elements_text(${sql.placeholder('etags')}::text::json))`
}

/** What recorders write, as parts of the statement, and their names. The statement sees the table as it was before. */
function recordersSql(entity: Entity, { recorders }: ChangeShape) {
  const states = sql`select * from "$states"`
  const statements = recorders.flatMap((one) => one.statements(entity, states))
  const names = statements.map((_, at) => sql`${sql.identifier(`$recorded${at}`)}`)
  if (statements.length === 0) return { names, parts: sql`` }
  const parts = statements.map((one, at) => sql`, ${names[at]} as (${one} returning 1)`)
  return {
    names,
    parts: sql`, "$states" as (
      select c.${ID} as id, to_jsonb(t.*) as before, to_jsonb(c.*) - ${INDEX_COLUMN}::text - ${ID_COLUMN}::text as after
      from ${tableSql(entity.table)} as t, "$changed" as c where ${sameKeyIn('c', entity)})${sql.join(parts)}`,
  }
}

/** A row for each request whose record is as it asked for: the ids, and what has changed. */
function recordedChanges(entity: Entity, columns: readonly string[], recorded: SQL[]): SQL {
  const computed = entity.properties.filter(({ rules }) => rules.computed !== undefined)
  const names = new Set([...columns, ...computed.map(({ name }) => name)])
  const fieldsOf = (alias: SQL) =>
    sql`(select ${shownFields(entity, names)} from (select ${alias}.*) as "$record")`
  const counts = recorded.map(
    (name, at) => sql`, (select count(*) from ${name}) as ${sql.identifier(`k${at}`)}`,
  )
  return sql`(select o.${ID}, o.${sql.identifier(REQUEST_COLUMN)}, case when o."$differs"
        then ${changeDetails(fieldsOf(sql`o`), fieldsOf(sql`c`))} else '{"changed":{}}' end as details
      from "$old" as o left join "$changed" as c on c.${POSITION} = o.${POSITION}${sql.join(counts)}
      where c.${POSITION} is not null or not o."$differs") as one`
}

const signature = ({ definition }: Entity): { name: string; value: SQL }[] =>
  definition.auditable
    ? [
        { name: 'LastUpdatedAt', value: sql`${sql.placeholder('at')}::timestamptz` },
        { name: 'LastUpdatedBy', value: sql`${sql.placeholder('by')}::text` },
      ]
    : []
