import { type SQL, sql } from 'drizzle-orm'
import { currentBudget } from '@/lib/db/budget'
import { copyIn, takesCopies } from '@/lib/db/copy-in'
import type { CopyOut } from '@/lib/db/copy-out'
import { databaseError } from '@/lib/db/errors'
import { tableSql } from '@/lib/db/identifiers'
import type { Db } from '@/lib/db/types'
import type { Entity, StoredColumn, TableName } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { columnList } from '@/lib/records/record-columns'

/** A copy has the name of its original; `source` is the original's name inside the transaction. */
export type Copied = { entity: Entity; columns: StoredColumn[]; source: TableName }

/** About this much of a table is in memory at a time. */
const MAX_BYTES = 1024 * 1024

/**
 * Copies the records of the original that match `where`, or all, into an empty copy. Other connections read the
 * original and end at once, since a lock of the transaction's own would last until its end.
 */
export async function carryRecords(
  tx: Db,
  copyOut: CopyOut,
  copied: Copied,
  where: SQL = sql`true`,
): Promise<void> {
  if (!takesCopies(tx)) return insertRecords(tx, copied, copied.source, where)
  await fill(tx, copyOut, copied, { into: copied.entity.table, where })
}

/** The same into a copy that has records already, which are kept. */
export async function carryMissing(
  tx: Db,
  copyOut: CopyOut,
  copied: Copied,
  where: SQL,
): Promise<void> {
  if (!takesCopies(tx)) return insertRecords(tx, copied, copied.source, where)
  await tx.execute(
    sql`create temp table ${tableSql(STAGED)} (like ${tableSql(copied.entity.table)})`,
  )
  await fill(tx, copyOut, copied, { into: STAGED, where })
  await insertRecords(tx, copied, STAGED, sql`true`)
  await tx.execute(sql`drop table ${tableSql(STAGED)}`)
}

const STAGED: TableName = { schema: 'pg_temp', name: 'engine_carried' }

const insertRecords = async (tx: Db, { entity, columns }: Copied, from: TableName, where: SQL) => {
  const list = columnList(columns.map(({ name }) => name))
  await tx.execute(sql`insert into ${tableSql(entity.table)} (${list})
    select ${list} from ${tableSql(from)} as t where ${where} on conflict do nothing`)
}

async function fill(
  tx: Db,
  copyOut: CopyOut,
  { entity, columns }: Copied,
  { into, where }: { into: TableName; where: SQL },
): Promise<void> {
  const named = columns.map(
    ({ name }, at) => sql`t.${sql.identifier(name)} as ${sql.identifier(`c${at}`)}`,
  )
  const query = sql`select ${sql.join(named, sql`, `)} from ${tableSql(entity.table)} as t where ${where}`
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
