import { randomUUID } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { auditJson, insertAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { type CompiledStatement, StatementCache } from '@/lib/db/compiled-statement'
import type { RecordCounts } from '@/lib/db/schema/plugins'
import { rows as rowsOf, tableSql } from '@/lib/db/sql'
import { type Entity, EXTRA_COLUMN, type InsertDuplicate } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { isCurrent, StaleDefinitionError } from '@/lib/registry/definition-version'
import { targetOf } from '@/lib/registry/target'
import { defaultsOf } from '@/lib/rows/compiled-entity'
import { explainConflicts, isRowConflict } from '@/lib/rows/conflicts'
import { inLockOrder, repeatsKey } from '@/lib/rows/distinct-rows'
import { newExtraFieldsOf } from '@/lib/rows/extra-fields'
import type { FieldNaming } from '@/lib/rows/field-naming'
import { greatestOf, passSequenceSql } from '@/lib/rows/generated-keys'
import {
  jsonChunks,
  type PreparedRow,
  presenceOf,
  wholeEncoder,
  withPosition,
} from '@/lib/rows/prepared-row'
import {
  columnList,
  INDEX_COLUMN,
  incoming,
  recordset,
  sameKey,
  singleRecord,
} from '@/lib/rows/record-columns'
import { requireNoConflicts } from '@/lib/rows/record-faults'
import { idSql, recordJson } from '@/lib/search/record-json'

export type Insertion = {
  naming: FieldNaming
  actor: Actor
  requestId: string
  onDuplicate: InsertDuplicate
}

/** `data`: the stored records as JSON text, in order. */
export type WrittenRecords = { data: string; counts: RecordCounts }

/** How one statement stores records: their JSON text, and what its text depends on besides the entity. */
export type InsertPlan = { rows: PreparedRow[]; json: string; greatest: bigint; shape: InsertShape }

export type InsertShape = {
  /** At least one. */
  columns: readonly string[]
  isSingle: boolean
  /** The generated key that no row has. */
  lacking: string | null
  /** The counter that must pass the numbers of the rows. */
  passed: string | null
}

/**
 * Null when one statement doesn't do: a record may overwrite another, the entity is on the nodes of a cluster, a record brings an
 * undeclared field that is new, or the rows are too long.
 */
export async function planInsert(
  entity: Entity,
  prepared: readonly PreparedRow[],
  onDuplicate: InsertDuplicate,
): Promise<InsertPlan | null> {
  const rows = withMadeKeys(entity, prepared)
  const isSingle = rows.length === 1
  const counters = entity.definition.keys.filter(({ strategy }) => strategy === 'AutoIncrement')
  const [counter] = counters
  const keyed = counter ? rows.filter(({ values }) => (values[counter.key] ?? null) !== null) : rows
  // Nodes of a cluster don't share a statement that also writes to the audit log.
  if (rows.length === 0 || counters.length > 1 || entity.isDistributed) return null
  if (keyed.length > 0 && keyed.length < rows.length) return null
  const lacking = keyed.length === 0 ? (counter?.key ?? null) : null
  if (lacking === null && (onDuplicate !== 'Error' || (await repeatsKey(entity, rows)))) return null
  const { every, some, extra } = await presenceOf(entity, rows)
  if (extra && (await newExtraFieldsOf(entity, rows)).length > 0) return null
  const greatest = counter && lacking === null ? await greatestOf(rows, counter.key) : 0n
  const passed = greatest > 0n && counter ? counter.key : null
  const ordered = lacking === null ? await inLockOrder(entity, rows) : rows
  const defaults = defaultsOf(entity)
  const encode = wholeEncoder(defaults)
  const [chunk] = jsonChunks(ordered, lacking || isSingle ? encode : withPosition(encode))
  if (chunk?.rows.length !== rows.length) return null
  const names = new Set([...every, ...some, ...defaults.keys(), ...(extra ? [EXTRA_COLUMN] : [])])
  if (lacking !== null) names.delete(lacking)
  const columns = names.size > 0 ? [...names] : [EXTRA_COLUMN]
  const json = isSingle ? chunk.json.slice(1, -1) : chunk.json
  return { rows, json, greatest, shape: { columns, isSingle, lacking, passed } }
}

/** Rows with a UUID where one is generated. */
function withMadeKeys({ definition }: Entity, rows: readonly PreparedRow[]): PreparedRow[] {
  const made = definition.keys.filter(({ strategy }) => strategy === 'UUID')
  if (made.length === 0) return [...rows]
  return rows.map((row) => {
    const values = { ...row.values }
    for (const { key } of made) values[key] ??= randomUUID()
    return { index: row.index, values, extra: row.extra }
  })
}

/**
 * Stores new records by one statement, which is a transaction of its own, and returns them as a list
 * in JSON text. Throws as `createRecords`, and `StaleDefinitionError`.
 */
export async function insertOnce(
  { db }: Deps,
  entity: Entity,
  { rows, json, greatest, shape }: InsertPlan,
  { naming, actor, requestId }: Insertion,
): Promise<string> {
  const audit = createdAudit(actor, entity, rows.length, requestId)
  const at = new Date().toISOString()
  const values = { rows: json, audit, at, by: actor.name, greatest: String(greatest) }
  try {
    const statement = insertStatement(entity, shape).with(values)
    const [stored] = await rowsOf<{ data: string | null }>(db, statement)
    if (!stored?.data) throw new StaleDefinitionError()
    return shape.isSingle ? `[${stored.data}]` : stored.data
  } catch (error) {
    if (!isRowConflict(error)) throw error
    requireNoConflicts(await explainConflicts(db, entity, rows, 'Error', error), naming)
    throw error
  }
}

export const createdAudit = (
  actor: Actor,
  { name }: Entity,
  created: number,
  requestId?: string,
): string =>
  auditJson(actor, {
    ...{ action: 'records.create', objectType: name, requestId },
    details: { created, updated: 0, unchanged: 0, failed: 0 },
  })

const statements = new StatementCache<Entity>()

/**
 * One statement that inserts rows, records that in the audit log and returns the stored records as JSON text: of one row the
 * record, of several a list in the order of the rows. Writes nothing and returns null or no row when the definition is no longer
 * that of `entity`. Placeholders: `rows`, `audit`, `at`, `by`, `greatest`.
 *
 *     rows         [{"$i":0,"id":7,"title":"A"}, {"$i":1,"id":3,"title":"B"}]
 *     "$incoming"  (0, 7, 'A'), (1, 3, 'B')        typed as the columns are
 *     "$counter"   moved past 7, before a row is inserted
 *     "$stored"    (7, 'A', …), (3, 'B', …)        with what the database adds
 *     "$audit"     one entry; of a single row with its id
 *     data         [{"id":7,"title":"A","persistenceId":"7"}, {"id":3,…}]
 */
const insertStatement = (entity: Entity, shape: InsertShape): CompiledStatement =>
  statements.find(entity, JSON.stringify(shape), () => {
    const { isSingle, columns, lacking, passed } = shape
    const target = targetOf(entity)
    const names = lacking === null && !isSingle ? [...columns, INDEX_COLUMN] : columns
    const rows = sql.placeholder('rows')
    const relation = isSingle ? singleRecord(entity, rows, names) : recordset(entity, rows, names)
    const audit = sql.placeholder('audit')
    const audited = isSingle
      ? insertAudit(audit, sql`(select ${idSql(target)} as "$id" from "$stored") as one`, {
          objectId: sql`"$id"`,
        })
      : insertAudit(audit, sql`(select 1 from "$stored" limit 1) as one`)
    const counter = passed && passSequenceSql(entity.table, passed, sql.placeholder('greatest'))
    return sql`with "$incoming" as materialized (select * from ${relation} where ${isCurrent(entity)}),
      "$counter" as (${counter ?? sql`select 1`}),
      "$stored" as (${insertIncoming(entity, columns)} returning *),
      "$audit" as (${audited})
      select ${isSingle ? sql`${recordJson(target, null)} as data from "$stored"` : recordList(entity, lacking)}`
  })

/** Inserts the rows of `$incoming`. The join makes the counter pass their numbers before the first one is inserted. */
export function insertIncoming(entity: Entity, columns: readonly string[]): SQL {
  const at = sql`${sql.placeholder('at')}::timestamptz`
  const by = sql`${sql.placeholder('by')}::text`
  const { auditable } = entity.definition
  const names = auditable
    ? [...columns, 'CreatedAt', 'CreatedBy', 'LastUpdatedAt', 'LastUpdatedBy']
    : columns
  const values = [...columns.map(incoming), ...(auditable ? [at, by, at, by] : [])]
  return sql`insert into ${tableSql(entity.table)} (${columnList(names)})
    select ${sql.join(values, sql`, `)} from "$incoming" as n, (select count(*) from "$counter") as passed`
}

/** In the order of the rows, which is that of the numbers that a counter gave them. */
function recordList(entity: Entity, lacking: string | null): SQL {
  const json = recordJson(targetOf(entity), null)
  const order =
    lacking === null ? sql.identifier(INDEX_COLUMN) : sql`${sql.identifier(lacking)}::numeric`
  const from =
    lacking === null
      ? sql`(select t.*, n.${sql.identifier(INDEX_COLUMN)} from "$stored" as t join "$incoming" as n on ${sameKey(entity)}) as "$found"`
      : sql`"$stored"`
  return sql`'[' || string_agg(${json}, ',' order by ${order}) || ']' as data from ${from}`
}
