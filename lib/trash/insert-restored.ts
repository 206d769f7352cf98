import { sql } from 'drizzle-orm'
import { affectedRows } from '@/lib/db/affected-rows'
import { tableSql } from '@/lib/db/identifiers'
import { one, rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import { passSequence } from '@/lib/records/assign-keys'
import { columnList } from '@/lib/records/record-columns'
import type { Restoration } from './find-problems'
import { restoredRows } from './restored-rows'

/** Writes the records without a known problem into the entity's table; returns their number. */
export async function insertRestored(tx: Db, restoration: Restoration): Promise<number> {
  const { entity, batch, plan } = restoration
  await passCounters(tx, restoration)
  const names = columnList(plan.columns.map(({ name }) => name))
  return affectedRows(
    tx,
    sql`insert into ${tableSql(entity.table)} (${names})
        select ${names} from (${restoredRows(batch, plan)}) as n`,
  )
}

/** Moves the counters of keys past the restored ones, even if the table was recreated since. */
async function passCounters(tx: Db, { entity, batch, plan }: Restoration): Promise<void> {
  const counters = entity.definition.keys.filter(
    ({ key, strategy }) =>
      strategy === 'AutoIncrement' && plan.columns.some(({ name }) => name === key),
  )
  for (const { key } of counters) {
    const text = sql`n.${sql.identifier(key)}::text`
    const number = sql`case when ${text} ~ '^[+]?[0-9]{1,19}$' then ${text}::numeric end`
    const found = await rows<{ greatest: string }>(
      tx,
      sql`select coalesce(max(${number}) filter (where ${number} < 9223372036854775808), 0)::text as greatest
          from (${restoredRows(batch, plan)}) as n`,
    )
    await passSequence(tx, entity.table, key, BigInt(one(found).greatest))
  }
}
