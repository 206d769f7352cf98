import { type SQL, sql } from 'drizzle-orm'
import { tableSql, textArray } from '@/lib/db/identifiers'
import { one, rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import { readAndRelease } from '@/lib/plugins/dry-run/carry-records'
import type { Origin } from './origin'

/** Those of these keys, texts of the only key field `key`, that no record has. */
export async function missingKeys(
  db: Db,
  entity: Entity,
  origin: Origin,
  key: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const missing = await missingIn(db, entity, key, keys)
  const { original } = origin
  if (missing.size === 0 || !original) return missing
  return readAndRelease(db, (inner) =>
    missingIn(inner, { ...entity, ...original }, key, [...missing]),
  )
}

async function missingIn(
  db: Db,
  entity: Entity,
  key: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const found = foundIn(entity, key, keys)
  const count = await rows<{ count: number }>(db, sql`select count(*)::int as count ${found}`)
  if (one(count).count === keys.length) return new Set()
  const stored = await rows<{ key: string }>(db, sql`select t.key ${found}`)
  const known = new Set(stored.map((row) => row.key))
  return new Set(keys.filter((text) => !known.has(text)))
}

/**
 * From a relation `t` of those that records have. Each is looked up by the index, whatever the statistics say; nodes of a cluster
 * take them as one list.
 */
function foundIn(
  { table, properties, isDistributed }: Entity,
  key: string,
  keys: readonly string[],
): SQL {
  const column = sql`s.${sql.identifier(key)}`
  const isNumber = properties.some(({ name, kind }) => name === key && kind === 'integer')
  const stored = sql`select ${column}::text as key from ${tableSql(table)} as s where ${column} =`
  if (isDistributed) {
    const list = textArray(keys)
    return sql`from (${stored} any (${isNumber ? sql`${list}::bigint[]` : list})) as t`
  }
  return sql`from jsonb_array_elements_text(${JSON.stringify(keys)}::text::jsonb) as k(key)
    cross join lateral (${stored} ${isNumber ? sql`k.key::bigint` : sql`k.key`} offset 0) as t`
}
