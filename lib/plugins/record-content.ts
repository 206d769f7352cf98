import { createHash } from 'node:crypto'
import { setImmediate as otherRequests } from 'node:timers/promises'
import type { Entity } from '@/lib/entities/definition'
import type { PreparedRow } from '@/lib/entities/records/prepared-row'
import { isObject, type Json, type JsonObject } from '@/lib/json'

/** What a record without a key is known by: a digest of its fields, and how many equal ones precede it. */
export type RecordContent = { index: number; digest: string; ordinal: number }

const ROWS_A_TURN = 256

/**
 * The contents of rows that an entity makes keys for. Neither the order of fields counts nor whether
 * they are declared; the definition of the key does, since a key of another kind is another key.
 */
export async function contentsOf(
  { definition }: Entity,
  rows: readonly PreparedRow[],
): Promise<RecordContent[]> {
  const keys = JSON.stringify(definition.keys)
  const seen = new Map<string, number>()
  const contents: RecordContent[] = []
  for (const [at, { index, values, extra }] of rows.entries()) {
    if (at % ROWS_A_TURN === 0) await otherRequests()
    const text = canonicalText(withoutNulls({ ...extra, ...values }, definition.keys))
    const digest = createHash('sha256').update(keys).update(text).digest('hex').slice(0, 32)
    const ordinal = seen.get(digest) ?? 0
    seen.set(digest, ordinal + 1)
    contents.push({ index, digest, ordinal })
  }
  return contents
}

/** A part of the key that is null is one that was left out. */
function withoutNulls(record: JsonObject, keys: Entity['definition']['keys']): JsonObject {
  for (const { key } of keys) if (record[key] === null) delete record[key]
  return record
}

/** JSON with the names of every object in one order. */
function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const pairs = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalText(value[name] as Json)}`)
  return `{${pairs.join(',')}}`
}
