import { createHash } from 'node:crypto'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'

/** Identifies a record without a key: a digest of its fields, and the number of equal ones before it. */
export type RecordContent = { index: number; digest: string; ordinal: number }

/**
 * Records the contents of records as given in the file, independent of later changes of definitions.
 * The order of fields is ignored. Call `add` for each record in order; it takes only those without a
 * complete key.
 */
export function contentReader(keys: readonly string[]) {
  const seen = new Map<string, number>()
  const contents = new Map<number, RecordContent>()
  return {
    contents: contents as ReadonlyMap<number, RecordContent>,
    add(record: Json, index: number): void {
      if (!isObject(record) || keys.every((key) => (record[key] ?? null) !== null)) return
      const text = canonicalText(withoutNulls(record, keys))
      // Not a slice of the text, which would keep all of it in memory.
      const digest = createHash('sha256').update(text).digest().toString('hex', 0, 16)
      const ordinal = seen.get(digest) ?? 0
      seen.set(digest, ordinal + 1)
      contents.set(index, { index, digest, ordinal })
    },
  }
}

/** A null part of the key counts as missing. */
const withoutNulls = (record: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(record).filter(([name, value]) => value !== null || !keys.includes(name)),
  )

/** JSON with the names of every object in one order. */
function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const pairs = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalText(value[name] ?? null)}`)
  return `{${pairs.join(',')}}`
}
