import { type SQL, sql } from 'drizzle-orm'
import { insertAudit } from '@/lib/audit/record-audit'
import { StatementCache } from '@/lib/db/compiled-statement'
import { tableSql } from '@/lib/db/identifiers'
import type { Entity, UpdateStrategy } from '@/lib/definitions/definition'
import { isCurrent } from '@/lib/registry/definition-version'
import { targetOf } from '@/lib/registry/target'
import type { Presence } from '@/lib/rows/json-chunks'
import { sameKey, singleRecord, stored } from '@/lib/rows/record-columns'
import { changesOf, differs } from '@/lib/rows/record-statements'
import { idSql, recordJson } from '@/lib/search/record-json'
import { forgetLastChange, insertLastChange } from '../last-change'

/** What the text of the statements depends on, besides the entity. */
export type ChangeShape = {
  strategy: UpdateStrategy
  presence: Presence
  removed: readonly string[]
  /** Whether the change is kept as the last one of the record. */
  isKept: boolean
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
 * Changes the record if its row still has `version`, records that in the audit log and returns the new
 * state, or no row. Placeholders: also `version`, `audit`.
 */
export const changeStatement = (entity: Entity, shape: ChangeShape) =>
  changes.find(entity, JSON.stringify(shape), () => {
    const all = assignmentsOf(entity, shape)
    const kept = shape.isKept ? keptChange(entity) : null
    const changed = kept
      ? sql`(select 1 from "$row", (select count(*) from "$kept") as k) as one`
      : sql`(select 1 from "$row") as one`
    const set = all.assigned.map(({ name, value }) => sql`${sql.identifier(name)} = ${value}`)
    return sql`with "$row" as (
        update ${tableSql(entity.table)} as t set ${sql.join(set, sql`, `)} from ${all.relation}
        where ${isRecord(entity)} and t.xmin::text = ${sql.placeholder('version')}::text and ${isCurrent(entity)}
        returning t.*)${kept ?? sql``},
      "$audit" as (${insertAudit(sql.placeholder('audit'), changed)})
      select ${recordJson(targetOf(entity), null)} as json from "$row"`
  })

/** The statement sees the row as it was before. The entry of the audit log follows, which gets the number of the change. */
function keptChange(entity: Entity): SQL {
  const id = sql`${sql.placeholder('id')}::text`
  const same = entity.keys.map((key) => sql`t.${sql.identifier(key)} = r.${sql.identifier(key)}`)
  const states = sql`select ${id}, to_jsonb(t.*), to_jsonb(r.*) from ${tableSql(entity.table)} as t, "$row" as r
    where ${sql.join(same, sql` and `)}`
  return sql`,
      "$forgotten" as (${forgetLastChange(entity, sql`select ${id} from "$row"`)}),
      "$kept" as (${insertLastChange(entity, states)} returning 1)`
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
