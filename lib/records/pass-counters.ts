import { type SQL, sql } from 'drizzle-orm'
import { one, rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import { passSequence } from './assign-keys'

/** Moves the counters of an entity's keys past those of the rows `n` in `from`, of the keys that these have. */
export async function passCounters(
  tx: Db,
  { definition, properties, table }: Entity,
  from: SQL,
  isGiven: (key: string) => boolean,
): Promise<void> {
  for (const { key, strategy } of definition.keys) {
    if (strategy !== 'AutoIncrement' || !isGiven(key)) continue
    const isInteger = properties.some(({ name, kind }) => name === key && kind === 'integer')
    const found = await rows<{ greatest: string }>(
      tx,
      sql`select coalesce(${isInteger ? greatestInteger(key) : greatestNumeral(key)}, 0)::text as greatest from ${from}`,
    )
    await passSequence(tx, table, key, BigInt(one(found).greatest))
  }
}

/** Read from the end of the key's index, if there is one. */
const greatestInteger = (key: string): SQL => sql`max(n.${sql.identifier(key)})`

/** Of texts and other numbers, whole ones that a counter can reach. */
function greatestNumeral(key: string): SQL {
  const text = sql`n.${sql.identifier(key)}::text`
  const number = sql`case when ${text} ~ '^[+]?[0-9]{1,19}$' then ${text}::numeric end`
  return sql`max(${number}) filter (where ${number} < 9223372036854775808)`
}
