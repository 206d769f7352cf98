import { type SQL, sql } from 'drizzle-orm'
import { currentBudget, signalOf } from '@/lib/db/budget'
import { copyIn, takesCopies } from '@/lib/db/copy-in'
import type { CopyOut } from '@/lib/db/copy-out'
import { databaseError } from '@/lib/db/errors'
import { readAndRelease } from '@/lib/db/read-and-release'
import { type Db, one, rows, tableSql } from '@/lib/db/sql'
import type { Entity, StoredColumn, TableName } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { columnList } from '@/lib/rows/record-columns'
import { columnOf } from '@/lib/tables/column-spec'
import type { DdlStep } from '@/lib/tables/ddl-step'
import type { Reference } from '@/lib/tables/plan-references'
import { planTable } from '@/lib/tables/plan-table'
import { toSql } from '@/lib/tables/step-to-sql'

/** A copy, and the table of its original. `isDistributed`: whether that is on the nodes of a cluster. */
export type Copied = {
  entity: Entity
  columns: StoredColumn[]
  source: TableName
  isDistributed: boolean
}

/** About this much of a table is in memory at a time. */
const MAX_BYTES = 1024 * 1024

/** What follows `from` in a query of some records `t` of a table. */
export type Choice = (table: SQL) => SQL

const every: Choice = (table) => sql`${table} as t`

/**
 * Copies the chosen records of the original, or all, into an empty copy. Other connections read the
 * original and end at once, since a lock of the transaction's own would last until its end.
 */
export async function carryRecords(
  tx: Db,
  copyOut: CopyOut,
  copied: Copied,
  choice = every,
): Promise<void> {
  if (!takesCopies(tx)) return insertRecords(tx, copied, copied.source, choice)
  await fill(tx, copyOut, copied, { into: copied.entity.table, choice })
}

/** The same into a copy that has records already, which are kept. */
export async function carryMissing(
  tx: Db,
  copyOut: CopyOut,
  copied: Copied,
  choice: Choice,
): Promise<void> {
  if (!takesCopies(tx)) return insertRecords(tx, copied, copied.source, choice)
  await tx.execute(
    sql`create temp table ${tableSql(STAGED)} (like ${tableSql(copied.entity.table)})`,
  )
  await fill(tx, copyOut, copied, { into: STAGED, choice })
  await insertRecords(tx, copied, STAGED, every)
  await tx.execute(sql`drop table ${tableSql(STAGED)}`)
}

const STAGED: TableName = { schema: 'pg_temp', name: 'engine_carried' }

async function insertRecords(
  tx: Db,
  { entity, columns }: Copied,
  from: TableName,
  choice: Choice,
): Promise<void> {
  const values = columns.map(({ name }) => sql`t.${sql.identifier(name)}`)
  await tx.execute(sql`insert into ${tableSql(entity.table)} (${columnList(columns.map(({ name }) => name))})
    select ${sql.join(values, sql`, `)} from ${choice(tableSql(from))} on conflict do nothing`)
}

async function fill(
  tx: Db,
  copyOut: CopyOut,
  { source, columns }: Copied,
  { into, choice }: { into: TableName; choice: Choice },
): Promise<void> {
  const named = columns.map(
    ({ name }, at) => sql`t.${sql.identifier(name)} as ${sql.identifier(`c${at}`)}`,
  )
  const query = sql`select ${sql.join(named, sql`, `)} from ${choice(tableSql(source))}`
  const list = columnList(columns.map(({ name }) => name))
  const statement = sql`copy ${tableSql(into)} (${list}) from stdin`
  const write = async (chunks: Buffer[]) => {
    if (chunks.length > 0) await copyIn(tx, statement, Buffer.concat(chunks))
  }
  let chunks: Buffer[] = []
  let size = 0
  try {
    const out = copyOut({ query, width: columns.length, format: 'text' }, untilDeadline())
    for await (const chunk of out) {
      chunks.push(chunk)
      size += chunk.length
      if (size < MAX_BYTES) continue
      await write(chunks)
      chunks = []
      size = 0
    }
  } catch (error) {
    const { deadline, exceeded } = currentBudget()
    if (performance.now() >= deadline) throw exceeded()
    throw isUndefined(error) ? new AppError('unavailable', CHANGED, { retryAfter: 1 }) : error
  }
  await write(chunks)
}

const CHANGED = 'Definitions changed while the plan was made; make it again'

const isUndefined = (error: unknown) =>
  ['42P01', '42703', '3F000'].includes(databaseError(error)?.code ?? '')

function untilDeadline(): AbortSignal {
  const budget = currentBudget()
  const { deadline } = budget
  const signal = signalOf(budget)
  const signals = signal ? [signal] : []
  if (Number.isFinite(deadline))
    signals.push(AbortSignal.timeout(Math.max(0, Math.ceil(deadline - performance.now()))))
  return AbortSignal.any(signals)
}

/**
 * Makes an empty copy of an entity's table, with its counters at their present values. Leaves out
 * indexes that no record can violate.
 */
export async function copyTable(
  tx: Db,
  entity: Entity,
  columns: readonly StoredColumn[],
  source: TableName,
): Promise<void> {
  const steps = planTable(null, entity).filter(isNeeded)
  for (const statement of steps.flatMap(toSql)) await tx.execute(statement)
  const served = new Set(entity.properties.map(({ name }) => name))
  for (const { name, sqlType } of columns) {
    if (served.has(name) || name.startsWith('$')) continue
    const column: DdlStep = {
      type: 'add-column',
      table: entity.table,
      column: { name, sqlType, notNull: false, generated: null },
    }
    for (const statement of toSql(column)) await tx.execute(statement)
  }
  for (const property of entity.properties) {
    const { generated, name } = columnOf(entity, property)
    if (generated === 'identity' || generated === 'sequence')
      await copyCounter(tx, entity.table, source, name)
  }
}

const isNeeded = (step: DdlStep) =>
  step.type !== 'keep-log' && (step.type !== 'add-index' || step.index.method === 'btree')

async function copyCounter(tx: Db, table: TableName, source: TableName, key: string) {
  const sequenceOf = ({ schema, name }: TableName) =>
    sql`pg_get_serial_sequence(format('%I.%I', ${schema}::text, ${name}::text), ${key}::text)`
  const names = sql`select ${sequenceOf(source)} as from, ${sequenceOf(table)} as to`
  const { from, to } = one(await rows<{ from: string; to: string }>(tx, names))
  // Both are quoted by PostgreSQL itself.
  const state = sql`select last_value::text as last, is_called as called from ${sql.raw(from)}`
  const { last, called } = await readAndRelease(tx, async (inner) =>
    one(await rows<Counter>(inner, state)),
  )
  await tx.execute(sql`select setval(${to}::regclass, ${last}::bigint, ${called}::boolean)`)
}

type Counter = { last: string; called: boolean }

/** Adds a foreign key of the table. Stored records are not checked, as they were by the original. */
export async function copyReference(tx: Db, { table, reference }: Reference): Promise<void> {
  const step = { type: 'add-reference', table, reference, strict: false } as const
  for (const statement of toSql(step)) await tx.execute(statement)
}
