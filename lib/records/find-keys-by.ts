import { sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import { rows as rowsOf } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import type { Json, JsonObject } from '@/lib/values/json'
import { jsonChunks } from './json-chunks'
import type { PreparedRow } from './prepared-row'
import { given, INDEX_COLUMN, recordset, sameValues, stored } from './record-columns'

/** The keys of the stored records that have the rows' values of other unique fields, by the index of the row. */
export async function findKeysBy(
  db: Db,
  entity: Entity,
  rows: PreparedRow[],
  fields: readonly string[],
): Promise<Map<number, JsonObject>> {
  const keys = new Map<number, JsonObject>()
  const pairs = entity.keys.flatMap((key) => [sql`${key}::text`, asText(key)])
  for (const { json } of jsonChunks(rows, (row) => encode(row, fields))) {
    const relation = recordset(entity, json, [INDEX_COLUMN, ...fields])
    const found = await rowsOf<{ index: number; key: JsonObject }>(
      db,
      sql`select ${given(INDEX_COLUMN)} as index, json_build_object(${sql.join(pairs, sql`, `)}) as key
        from ${tableSql(entity.table)} as t, ${relation} where ${sameValues(fields)}`,
    )
    for (const { index, key } of found) keys.set(index, keyIn(entity, key))
  }
  return keys
}

/** As text, in which no digit is lost. */
const asText = (key: string) => sql`${stored(key)}::text`

/** In the form in which rows have it. */
function keyIn({ properties, keys }: Entity, texts: JsonObject): JsonObject {
  const values = keys.map((name): [string, Json] => {
    const text = String(texts[name])
    const kind = properties.find((one) => one.name === name)?.kind
    const isSafe = (kind === 'integer' || kind === 'float') && String(Number(text)) === text
    return [name, isSafe ? Number(text) : text]
  })
  return Object.fromEntries(values)
}

function encode({ index, values }: PreparedRow, fields: readonly string[]): string {
  const picked = fields.map((name): [string, Json] => [name, values[name] ?? null])
  return JSON.stringify(Object.fromEntries([[INDEX_COLUMN, index], ...picked]))
}
