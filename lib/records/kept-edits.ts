import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { trashRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { isObject, type JsonObject, parseJson } from '@/lib/values/json'

/** What the trash holds of a record that was edited, besides the fields of its key: values of fields. */
export const BEFORE = '$before'
export const AFTER = '$after'

/** A record of an edit: its key, and the values of the fields before and after. */
export type KeptEdit = { id: number; key: JsonObject; before: JsonObject; after: JsonObject }

/** The records that are read and changed at once: memory is for so many. */
const CHUNK = 2_000

/** The records of an edit that have no known problem, in the order in which they were kept. */
export async function* keptEdits(
  tx: Db,
  batchId: string,
  keys: readonly string[],
): AsyncGenerator<KeptEdit[]> {
  for (let after = 0, size = CHUNK; size === CHUNK; ) {
    const found = await tx
      .select({ id: trashRecords.id, data: sql<string>`${trashRecords.data}::text` })
      .from(trashRecords)
      .where(
        and(
          eq(trashRecords.batchId, batchId),
          gt(trashRecords.id, after),
          isNull(trashRecords.problem),
        ),
      )
      .orderBy(trashRecords.id)
      .limit(CHUNK)
    size = found.length
    after = found.at(-1)?.id ?? after
    if (size > 0) yield found.map(({ id, data }) => toEdit(id, data, keys))
  }
}

function toEdit(id: number, text: string, keys: readonly string[]): KeptEdit {
  const data = parseJson(text, { exactly: true }) as JsonObject
  const part = (name: string): JsonObject => {
    const found = data[name]
    return isObject(found) ? found : {}
  }
  const key = Object.fromEntries(keys.map((name) => [name, data[name] ?? null]))
  return { id, key, before: part(BEFORE), after: part(AFTER) }
}
