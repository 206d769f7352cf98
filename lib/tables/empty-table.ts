import { sql } from 'drizzle-orm'
import { type Db, one, rows, tableSql } from '@/lib/db/sql'
import type { TableName } from '@/lib/definitions/definition'

/** How long emptying may wait for readers and writers of the table. */
const LOCK_TIMEOUT_MS = 10_000

/**
 * Empties a table by TRUNCATE, which touches no row, and returns how many there were; null, with
 * nothing done, when other tables refer to this one, which only DELETE respects. `check` gets the
 * number before anything is removed and may throw. The table is locked from the count on, so the
 * number is exact; readers wait for the duration of a count.
 */
export async function emptyTable(
  tx: Db,
  name: TableName,
  check: (count: number) => void,
): Promise<number | null> {
  if (await isReferredTo(tx, name)) return null
  const table = tableSql(name)
  await tx.execute(sql`set local lock_timeout = ${sql.raw(String(LOCK_TIMEOUT_MS))}`)
  await tx.execute(sql`lock table ${table} in access exclusive mode`)
  // No transaction can add a reference to a locked table, but one may have done so before.
  if (await isReferredTo(tx, name)) return null
  const { total } = one(
    await rows<{ total: string }>(tx, sql`select count(*)::text as "total" from ${table}`),
  )
  const count = Number(total)
  check(count)
  if (count > 0) await tx.execute(sql`truncate table ${table}`)
  return count
}

async function isReferredTo(tx: Db, { schema, name }: TableName): Promise<boolean> {
  const found = await rows<{ referred: boolean }>(
    tx,
    sql`
      select exists (
        select 1 from pg_constraint
        join pg_class on pg_class.oid = confrelid
        join pg_namespace on pg_namespace.oid = relnamespace
        where contype = 'f' and conrelid <> confrelid
          and nspname = ${schema} and relname = ${name}
      ) as "referred"`,
  )
  return one(found).referred
}
