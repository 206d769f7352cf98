import { sql } from 'drizzle-orm'
import { one, rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/entities/definition'

/**
 * Makes the numbers that a transaction takes from an entity's counters come back when it is rolled
 * back, which sequences never do by themselves: a restarted one has new storage, and the old one is
 * its own again afterwards. Others who need a number wait until then.
 */
export async function shieldCounters(tx: Db, { definition, table }: Entity): Promise<void> {
  for (const { key, strategy } of definition.keys) {
    if (strategy !== 'AutoIncrement') continue
    const name = sql`pg_get_serial_sequence(format('%I.%I', ${table.schema}::text, ${table.name}::text), ${key}::text)`
    // Quoted by PostgreSQL itself.
    const sequence = one(await rows<{ name: string }>(tx, sql`select ${name} as name`)).name
    const state = sql`select last_value::text as last, is_called as "isUsed" from ${sql.raw(sequence)}`
    const { last, isUsed } = one(await rows<{ last: string; isUsed: boolean }>(tx, state))
    await tx.execute(sql.raw(`alter sequence ${sequence} restart with ${last}`))
    if (isUsed) await tx.execute(sql`select nextval(${sequence}::regclass)`)
  }
}
