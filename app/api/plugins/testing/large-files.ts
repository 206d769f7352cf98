import { sql } from 'drizzle-orm'
import { one, rows } from '@/lib/db/sql'
import { table } from './upgrades'
import { deps } from './versions'

/** The records of several parts of a file. */
export const MANY = 200
/** A record in the last part that is not the last. */
export const LAST = MANY - 1
const note = (id: number) => `${id}`.padEnd(9_500, '.')

export const things = (price = 1, count = MANY) =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Thing ${index}`,
    price,
    note: note(index + 1),
  }))

/** The things with other fields, by their ids. */
export const changed = (changes: Record<number, object>) =>
  things().map((thing) => ({ ...thing, ...changes[thing.id] }))

/** What the things with these ids cost. */
export async function prices(...ids: number[]): Promise<number[]> {
  const query = sql`select json_agg(price order by id) as prices from ${table} where id in (${sql.raw(ids.join())})`
  return one(await rows<{ prices: number[] }>(deps.db, query)).prices
}
