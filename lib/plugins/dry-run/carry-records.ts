import { type SQL, sql } from 'drizzle-orm'
import { currentBudget } from '@/lib/db/budget'
import { copyIn, takesCopies } from '@/lib/db/copy-in'
import type { CopyOut } from '@/lib/db/copy-out'
import { databaseError } from '@/lib/db/errors'
import { tableSql } from '@/lib/db/identifiers'
import type { Db } from '@/lib/db/types'
import type { Entity, StoredColumn, TableName } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { columnList } from '@/lib/rows/record-columns'

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
  const { deadline, signal } = currentBudget()
  const signals = signal ? [signal] : []
  if (Number.isFinite(deadline))
    signals.push(AbortSignal.timeout(Math.max(0, Math.ceil(deadline - performance.now()))))
  return AbortSignal.any(signals)
}

/** Reads in a savepoint that is rolled back, so that the locks of reading are given back at once. */
export async function readAndRelease<T>(tx: Db, read: (inner: Db) => Promise<T>): Promise<T> {
  const done: { value: T }[] = []
  try {
    await tx.transaction(async (inner) => {
      done.push({ value: await read(inner as unknown as Db) })
      throw new Released()
    })
  } catch (error) {
    if (!(error instanceof Released)) throw error
  }
  const [first] = done
  if (!first) throw new Error('Nothing was read')
  return first.value
}

class Released extends Error {}
