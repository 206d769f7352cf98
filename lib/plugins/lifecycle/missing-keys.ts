import { sql } from 'drizzle-orm'
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
  { table, properties }: Entity,
  key: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const column = sql`t.${sql.identifier(key)}`
  const isNumber = properties.some(({ name, kind }) => name === key && kind === 'integer')
  const asked = isNumber ? sql`${textArray(keys)}::bigint[]` : textArray(keys)
  const found = sql`from ${tableSql(table)} as t where ${column} = any (${asked})`
  const count = await rows<{ count: number }>(db, sql`select count(*)::int as count ${found}`)
  if (one(count).count === keys.length) return new Set()
  const stored = await rows<{ key: string }>(db, sql`select ${column}::text as key ${found}`)
  const known = new Set(stored.map((row) => row.key))
  return new Set(keys.filter((text) => !known.has(text)))
}
