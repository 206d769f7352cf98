import { isObject, type Json, type JsonObject } from '@/lib/values/json'

/** The records without the fields of the names in `known`, each of which goes to `take` with what its name stands for. */
export function takeFields<T extends Json, K extends { name: string }>(
  records: readonly T[],
  known: ReadonlyMap<string, K>,
  take: (index: number, of: K, value: Json) => void,
): readonly T[] {
  if (known.size === 0) return records
  return records.map((record, index) => {
    const found = isObject(record)
      ? Object.keys(record).flatMap((name) => known.get(name) ?? [])
      : []
    for (const one of found) take(index, one, (record as JsonObject)[one.name] ?? null)
    return found.length > 0 ? without(record, new Set(found.map(({ name }) => name))) : record
  })
}

const without = <T extends Json>(record: T, names: ReadonlySet<string>): T =>
  Object.fromEntries(Object.entries(record as JsonObject).filter(([name]) => !names.has(name))) as T
