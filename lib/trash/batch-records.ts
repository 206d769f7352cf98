import { asc, eq, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { type TrashBatchRow, type TrashProblem, trashRecords } from '@/lib/db/schema'
import { AUDIT_FIELDS, EXTRA_COLUMN } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { isObject, type Json, type JsonObject, parseJson } from '@/lib/values/json'
import type { TrashedRecord } from './contract'
import { toConflict } from './describe-conflict'
import { getTrashBatch, requireShown } from './list-trash'
import { getBatch, keySql } from './store'

type Page = { batchId: string; page: number; size: number }

/**
 * A page of the records in a batch, as they were; their numbers are marked. Throws `not_found`, `forbidden` without the
 * rights to delete and to read them.
 */
export async function batchRecords(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  { batchId, page, size }: Page,
): Promise<{ records: TrashedRecord[]; total: number }> {
  await getTrashBatch({ db }, actor, batchId)
  const batch = await getBatch(db, batchId, { lock: false })
  if (batch.kind !== 'records')
    throw new AppError('not_found', 'There are no deleted records in this batch of the trash')
  await requireShown(db, actor, batch.entity, 'Looking at deleted records')
  const found = await db
    .select({
      id: trashRecords.id,
      key: sql`(${keySql(batch.keys)})::text`.mapWith(exactly),
      data: sql`${trashRecords.data}::text`.mapWith(exactly),
      problem: sql`${trashRecords.problem}::text`.mapWith((text: string) => exactly(text)),
    })
    .from(trashRecords)
    .where(eq(trashRecords.batchId, batch.id))
    .orderBy(asc(trashRecords.id))
    .limit(size)
    .offset(page * size)
  const records = found.map(({ id, key, data, problem }) => ({
    id,
    key,
    record: servedFields(batch, data),
    problem: problem
      ? toConflict({ key, problem: problem as unknown as TrashProblem }).message
      : null,
  }))
  return { records, total: batch.recordCount }
}

const exactly = (text: string): Json => parseJson(text, { exactly: true })

/** The fields that a search would have returned: columns of dropped properties are kept, but not served. */
function servedFields({ properties, keys }: TrashBatchRow, data: Json): JsonObject {
  if (!isObject(data)) return {}
  const names = new Set<string>([...keys, ...properties.map(({ name }) => name), ...AUDIT_FIELDS])
  const extra = data[EXTRA_COLUMN]
  const own = Object.entries(data).filter(([name]) => names.has(name))
  return { ...Object.fromEntries(own), ...(isObject(extra) ? extra : {}) }
}
