import { sql } from 'drizzle-orm'
import { isLockTimeout } from '@/lib/db/errors'
import { tableSql } from '@/lib/db/identifiers'
import { rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { TableName } from '@/lib/definitions/definition'

/** Others queue behind a request for the lock, so it does not wait long. */
const LOCK_WAIT_MS = 200

/**
 * Drops the indexes of a table, apart from its primary key and those that foreign keys need, and
 * returns a function that builds them again, which is several times faster after many records are
 * written than beside them. Nobody else can use the table until the transaction ends. Drops none when
 * the table is in use.
 */
export async function deferIndexes(tx: Db, table: TableName): Promise<() => Promise<void>> {
  const found = await deferrableIndexes(tx, table)
  if (found.length === 0 || !(await lockAlone(tx, table))) return async () => {}
  for (const { name } of found)
    await tx.execute(sql`drop index ${tableSql({ schema: table.schema, name })}`)
  return async () => {
    for (const { definition } of found) await tx.execute(sql.raw(definition))
  }
}

type Index = { name: string; definition: string }

const deferrableIndexes = (tx: Db, { schema, name }: TableName): Promise<Index[]> =>
  rows<Index>(
    tx,
    sql`select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = format('%I.%I', ${schema}::text, ${name}::text)::regclass
        and i.indisvalid and i.indislive and not i.indisprimary
        and not i.indisclustered and not i.indisreplident
        and not exists (select 1 from pg_constraint where conindid = i.indexrelid)
      order by c.relname`,
  )

/** False when others use the table. */
async function lockAlone(tx: Db, table: TableName): Promise<boolean> {
  const before = await rows<{ limit: string }>(
    tx,
    sql`select current_setting('lock_timeout') as "limit"`,
  )
  try {
    await tx.transaction(async (inner) => {
      await inner.execute(sql`set local lock_timeout = ${sql.raw(String(LOCK_WAIT_MS))}`)
      await inner.execute(sql`lock table ${tableSql(table)} in access exclusive mode`)
    })
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    return false
  }
  const limit = before[0]?.limit ?? '0'
  await tx.execute(sql`select set_config('lock_timeout', ${limit}, true)`)
  return true
}
