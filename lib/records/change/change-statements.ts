import { type SQL, sql } from 'drizzle-orm'
import { insertAudit } from '@/lib/audit/record-audit'
import { StatementCache } from '@/lib/db/compiled-statement'
import { tableSql } from '@/lib/db/sql'
import type { Entity, UpdateStrategy } from '@/lib/definitions/definition'
import { isCurrent } from '@/lib/registry/definition-version'
import { targetOf } from '@/lib/registry/target'
import type { Presence } from '@/lib/rows/prepared-row'
import { sameKey, singleRecord, stored } from '@/lib/rows/record-columns'
import { changesOf, differs } from '@/lib/rows/record-statements'
import { idSql, recordJson } from '@/lib/search/record-json'
import type { ChangeRecorder } from '../points'

/** What the text of the statements depends on, besides the entity. */
export type ChangeShape = {
  strategy: UpdateStrategy
  presence: Presence
  removed: readonly string[]
  /** What records the change. */
  recorders: readonly ChangeRecorder[]
}

/** What a change would make of a record: both states as JSON text, and the row's version. */
export type Preview = { before: string; after: string; differs: boolean; version: string }

const previews = new StatementCache<Entity>()
const changes = new StatementCache<Entity>()
const unchanged = new StatementCache<Entity>()

/** Returns a `Preview`, or no row. Placeholders: `row`, `id`, `at`, `by`. */
export const previewStatement = (entity: Entity, shape: ChangeShape) =>
  previews.find(entity, JSON.stringify(shape), () => {
    const all = assignmentsOf(entity, shape)
    const record = recordJson(targetOf(entity), null)
    return sql`select (select ${record} from (select t.*) as "$before") as before,
        (select ${record} from (select ${columnsAfter(entity, all)}) as "$after") as after,
        ${all.differs} as differs, t.xmin::text as version
      from ${tableSql(entity.table)} as t, ${all.relation} where ${isRecord(entity)}`
  })

/**
 * Changes the record if its row still has `version`, records that and returns the new state, or no row. Placeholders: also
 * `version`, `audit`.
 *
 *     row            {"id":1,"title":"New"}
 *     "$changed"     (1, 'New', …)                     the row after the change; none if it has another version by now
 *     "$states"      ('1', {"id":1,"title":"Old"}, {"id":1,"title":"New"})
 *     "$recorded0"…  what recorders write of it
 *     "$audit"       the entry of the audit log, after them: it gets the number of the change
 *     json           {"id":1,"title":"New","persistenceId":"1"}
 */
export const changeStatement = (entity: Entity, shape: ChangeShape) =>
  changes.find(entity, JSON.stringify(shape), () => {
    const all = assignmentsOf(entity, shape)
    const set = all.assigned.map(({ name, value }) => sql`${sql.identifier(name)} = ${value}`)
    const recorded = recordersSql(entity, shape)
    const counts = recorded.names.map(
      (name, at) => sql`, (select count(*) from ${name}) as ${sql.identifier(`k${at}`)}`,
    )
    const from = sql`(select 1 from "$changed"${sql.join(counts)}) as one`
    return sql`with "$changed" as (
        update ${tableSql(entity.table)} as t set ${sql.join(set, sql`, `)} from ${all.relation}
        where ${isRecord(entity)} and t.xmin::text = ${sql.placeholder('version')}::text and ${isCurrent(entity)}
        returning t.*)${recorded.parts},
      "$audit" as (${insertAudit(sql.placeholder('audit'), from)})
      select ${recordJson(targetOf(entity), null)} as json from "$changed"`
  })

/** The statement sees the table as it was before. */
function recordersSql(entity: Entity, { recorders }: ChangeShape) {
  const states = sql`select * from "$states"`
  const statements = recorders.flatMap((one) => one.statements(entity, states))
  const names = statements.map((_, at) => sql`${sql.identifier(`$recorded${at}`)}`)
  if (statements.length === 0) return { names, parts: sql`` }
  const same = entity.keys.map((key) => sql`t.${sql.identifier(key)} = r.${sql.identifier(key)}`)
  const parts = statements.map((one, at) => sql`, ${names[at]} as (${one} returning 1)`)
  return {
    names,
    parts: sql`, "$states" as (
      select ${sql.placeholder('id')}::text as id, to_jsonb(t.*) as before, to_jsonb(r.*) as after
      from ${tableSql(entity.table)} as t, "$changed" as r where ${sql.join(same, sql` and `)})${sql.join(parts)}`,
  }
}

/** Records in the audit log a change that changed nothing; returns a row if it did. Placeholder: `audit`. */
export const unchangedStatement = (entity: Entity) =>
  unchanged.find(entity, '', () => {
    const when = sql`(select 1 where ${isCurrent(entity)}) as one`
    return sql`${insertAudit(sql.placeholder('audit'), when)} returning 1 as recorded`
  })

/** The row `t` has the key of `n` and, as text, the id: `01` is not the id of record 1. */
const isRecord = (entity: Entity): SQL =>
  sql`${sameKey(entity)} and (select ${idSql(targetOf(entity))} from (select t.*) as "$id") = ${sql.placeholder('id')}::text`

type Assigned = { name: string; value: SQL }

function assignmentsOf(entity: Entity, { strategy, presence, removed }: ChangeShape) {
  const changes = changesOf(entity, presence, strategy, { removed })
  const isDifferent: SQL =
    changes.length > 0 ? sql`(${sql.join(changes.map(differs), sql` or `)})` : sql`false`
  const columns = new Set([...entity.keys, ...changes.map(({ name }) => name)])
  return {
    differs: isDifferent,
    assigned: [...changes, ...signature(entity)] as Assigned[],
    relation: singleRecord(entity, sql.placeholder('row'), [...columns]),
  }
}

const signature = ({ definition }: Entity): Assigned[] =>
  definition.auditable
    ? [
        { name: 'LastUpdatedAt', value: sql`${sql.placeholder('at')}::timestamptz` },
        { name: 'LastUpdatedBy', value: sql`${sql.placeholder('by')}::text` },
      ]
    : []

/** The columns of the table that records show, with their new values, in the types of the table. */
function columnsAfter(entity: Entity, { assigned }: { assigned: Assigned[] }): SQL {
  const { fields, extraColumn } = targetOf(entity)
  const names = [...fields.map(({ column }) => column), ...(extraColumn ? [extraColumn] : [])]
  const values = new Map(assigned.map(({ name, value }) => [name, value]))
  const columns = names.map(
    (name) => sql`${values.get(name) ?? stored(name)} as ${sql.identifier(name)}`,
  )
  return sql.join(columns, sql`, `)
}
