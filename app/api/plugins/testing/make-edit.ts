import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'

/** A change that somebody makes to a stored record, whatever the definition allows. */
export type Edit = { table: number; record: number; what: 'delete' | 'clear' | 'note' }

export const randomEdit: fc.Arbitrary<Edit> = fc.record({
  table: fc.nat(2),
  record: fc.nat(3),
  what: fc.constantFrom('delete', 'clear', 'note'),
})

/** Makes an edit, unless there is no such record or a rule forbids it. */
export async function makeEdit({ db }: Deps, { table, record, what }: Edit): Promise<void> {
  const tables = await rows<{ name: string; column: string | null }>(
    db,
    sql`select c.relname as name, (select min(attname) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attname in ('p', 'q', 'r')) as column
      from pg_class c where c.relnamespace = 'entities'::regnamespace and c.relkind = 'r' order by 1`,
  )
  const found = tables[table]
  if (!found) return
  const target = sql`entities.${sql.identifier(found.name)}`
  const chosen = sql`ctid = (select ctid from ${target} order by 1 offset ${record}::int limit 1)`
  const note = sql`update ${target} set "$extra" = coalesce("$extra", '{}') || '{"note": "mine"}' where ${chosen}`
  const statement = {
    delete: sql`delete from ${target} where ${chosen}`,
    clear: found.column
      ? sql`update ${target} set ${sql.identifier(found.column)} = null where ${chosen}`
      : note,
    note,
  }[what]
  await db.transaction((tx) => tx.execute(statement)).catch(() => {})
}
