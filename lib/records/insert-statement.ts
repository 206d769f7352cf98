import { type SQL, sql } from 'drizzle-orm'
import { insertAudit } from '@/lib/audit/record-audit'
import { type CompiledStatement, StatementCache } from '@/lib/db/compiled-statement'
import { tableSql } from '@/lib/db/identifiers'
import type { Entity } from '@/lib/definitions/definition'
import { isCurrent } from '@/lib/registry/definition-version'
import { targetOf } from '@/lib/registry/target'
import { passSequenceSql } from '@/lib/rows/generated-keys'
import {
  columnList,
  INDEX_COLUMN,
  incoming,
  recordset,
  sameKey,
  singleRecord,
} from '@/lib/rows/record-columns'
import { idSql, recordJson } from '@/lib/search/record-json'

/** What the text of the statement depends on, besides the entity; at least one column. */
export type InsertShape = {
  columns: readonly string[]
  isSingle: boolean
  /** The generated key that no row gives. */
  lacking: string | null
  /** The counter that must pass given numbers. */
  passed: string | null
}

const cache = new StatementCache<Entity>()

/**
 * One statement that inserts rows, records that in the audit log and returns the stored records as
 * JSON text: of one row the record, of several a list in the order of the rows. Writes nothing and
 * returns null or no row when the definition is no longer that of `entity`. Placeholders: `rows`, `audit`, `at`,
 * `by`, `greatest`.
 */
export const insertOnceStatement = (entity: Entity, shape: InsertShape): CompiledStatement =>
  cache.find(entity, JSON.stringify(shape), () => build(entity, shape))

function build(entity: Entity, shape: InsertShape): SQL {
  const { isSingle, columns } = shape
  const placed = shape.lacking === null && !isSingle ? [...columns, INDEX_COLUMN] : columns
  const rows = sql.placeholder('rows')
  const relation = isSingle ? singleRecord(entity, rows, placed) : recordset(entity, rows, placed)
  const target = targetOf(entity)
  const audit = sql.placeholder('audit')
  const audited = isSingle
    ? insertAudit(audit, sql`(select ${idSql(target)} as "$id" from "$row") as one`, {
        objectId: sql`"$id"`,
      })
    : insertAudit(audit, sql`(select 1 from "$row" limit 1) as one`)
  return sql`with "$given" as materialized (select * from ${relation} where ${isCurrent(entity)}),
    "$passed" as (${passed(entity, shape)}),
    "$row" as (${insertion(entity, shape)} returning *),
    "$audit" as (${audited})
    select ${isSingle ? sql`${recordJson(target, null)} as data from "$row"` : recordList(entity, shape)}`
}

/**
 * The same for single rows of several requests: an entry in the audit log for each, and a row with the
 * stored record as `data` for each, in order. Returns no row when the definition is no longer that of `entity`.
 * Placeholders: `rows`, `audit`, `requests` (a JSON list of their ids), `at`, `by`.
 */
export const insertTogetherStatement = (entity: Entity, shape: InsertShape): CompiledStatement =>
  cache.find(entity, `together ${JSON.stringify(shape)}`, () => buildTogether(entity, shape))

function buildTogether(entity: Entity, shape: InsertShape): SQL {
  const target = targetOf(entity)
  const position = sql.identifier(INDEX_COLUMN)
  const ids = sql`(select ${idSql(target)} as "$id", r.value as "$request" from "$placed"
    join json_array_elements_text(${sql.placeholder('requests')}::text::json) with ordinality as r(value, at)
      on r.at = ${position}) as one`
  return sql`with "$given" as materialized (
      select n.*, e.at as ${position}
      from json_array_elements(${sql.placeholder('rows')}::text::json) with ordinality as e(value, at),
        ${singleRecord(entity, sql`e.value`, shape.columns)}
      where ${isCurrent(entity)}),
    "$passed" as (select 1),
    "$row" as (${insertion(entity, shape)} order by n.${position} returning *),
    "$placed" as (${placedRows(entity, shape)}),
    "$audit" as (${insertAudit(sql.placeholder('audit'), ids, { objectId: sql`"$id"`, requestId: sql`"$request"` })})
    select ${recordJson(target, null)} as data from "$placed" order by ${position}`
}

/** The stored rows with the position of each. A counter numbers them in the order of the rows. */
function placedRows(entity: Entity, { lacking }: InsertShape): SQL {
  const position = sql.identifier(INDEX_COLUMN)
  return lacking === null
    ? sql`select t.*, n.${position} from "$row" as t join "$given" as n on ${sameKey(entity)}`
    : sql`select t.*, row_number() over (order by t.${sql.identifier(lacking)}) as ${position} from "$row" as t`
}

const passed = ({ table }: Entity, { passed: key }: InsertShape): SQL =>
  key === null ? sql`select 1` : passSequenceSql(table, key, sql.placeholder('greatest'))

/** The join makes the counter pass given numbers before the first row is inserted. */
function insertion(entity: Entity, { columns }: InsertShape): SQL {
  const at = sql`${sql.placeholder('at')}::timestamptz`
  const by = sql`${sql.placeholder('by')}::text`
  const { auditable } = entity.definition
  const names = auditable
    ? [...columns, 'CreatedAt', 'CreatedBy', 'LastUpdatedAt', 'LastUpdatedBy']
    : columns
  const values = [...columns.map(incoming), ...(auditable ? [at, by, at, by] : [])]
  return sql`insert into ${tableSql(entity.table)} (${columnList(names)})
    select ${sql.join(values, sql`, `)} from "$given" as n, (select count(*) from "$passed") as passed`
}

/** In the order of the rows, which is that of the numbers that a counter gave them. */
function recordList(entity: Entity, { lacking }: InsertShape): SQL {
  const position = sql.identifier(INDEX_COLUMN)
  const order = lacking === null ? sql`${position}` : sql`${sql.identifier(lacking)}::numeric`
  const found =
    lacking === null
      ? sql`(select t.*, n.${position} from "$row" as t join "$given" as n on ${sameKey(entity)}) as "$found"`
      : sql`"$row"`
  return sql`'[' || string_agg(${recordJson(targetOf(entity), null)}, ',' order by ${order}) || ']' as data from ${found}`
}
