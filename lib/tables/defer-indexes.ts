import { sql } from 'drizzle-orm'
import { isLockTimeout } from '@/lib/db/errors'
import { type Db, rows, tableSql } from '@/lib/db/sql'
import type { TableName } from '@/lib/definitions/definition'

/** Others queue behind a request for the lock, so it does not wait long. */
const LOCK_WAIT = '200ms'

/**
 * Drops the indexes of a table, apart from its primary key and those that foreign keys need, and
 * returns a function that builds them again, which is several times faster after many records are
 * written than beside them. No other transaction can use the table until this one ends. Drops none when
 * the table is in use.
 */
export async function deferIndexes(tx: Db, table: TableName): Promise<() => Promise<void>> {
  const found = await deferrableIndexes(tx, table)
  const [first] = found
  if (!first || !(await lockAlone(tx, table, first.lockTimeout))) return async () => {}
  const names = found.map(({ name }) => tableSql({ schema: table.schema, name }))
  await tx.execute(sql`drop index ${sql.join(names, sql`, `)}`)
  return async () => {
    for (const { definition } of found) await tx.execute(sql.raw(definition))
  }
}

/** With the transaction's limit for locks. */
type Index = { name: string; definition: string; lockTimeout: string }

const deferrableIndexes = (tx: Db, { schema, name }: TableName): Promise<Index[]> =>
  rows<Index>(
    tx,
    sql`select c.relname as name, pg_get_indexdef(i.indexrelid) as definition,
        current_setting('lock_timeout') as "lockTimeout"
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = format('%I.%I', ${schema}::text, ${name}::text)::regclass
        and i.indisvalid and i.indislive and not i.indisprimary
        and not i.indisclustered and not i.indisreplident
        and not exists (select 1 from pg_constraint where conindid = i.indexrelid)
      order by c.relname`,
  )

/** False when others use the table. */
async function lockAlone(tx: Db, table: TableName, lockTimeout: string): Promise<boolean> {
  const limit = (value: string) => sql.raw(`set local lock_timeout = '${value}'`)
  try {
    await tx.transaction((inner) =>
      inner.execute(
        sql`${limit(LOCK_WAIT)}; lock table ${tableSql(table)} in access exclusive mode; ${limit(lockTimeout)}`,
      ),
    )
    return true
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    return false
  }
}
