import { asc, eq, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { type TrashBatchRow, type TrashProblem, trashRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { AUDIT_FIELDS, EXTRA_COLUMN } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { AFTER, BEFORE } from '@/lib/records/kept-edits'
import { judgeStates, SHOWN, type Shown } from '@/lib/search/judge-states'
import { isObject, type Json, type JsonObject, parseJson } from '@/lib/values/json'
import type { TrashedRecord } from './contract'
import { type Limits, limitsOf, openFields, readRuleIn } from './limits'
import { getTrashBatch, isOfRecords, requireShown } from './list-trash'
import { getBatch, keySql, toConflict } from './store'

type Page = { batchId: string; page: number; size: number }

/**
 * A page of the records in a batch, as they were, or what became of them by an edit or import; their numbers are marked.
 * Throws `not_found`, and `forbidden` without the rights to restore and to read them.
 */
export async function batchRecords(
  deps: Deps,
  actor: Actor,
  { batchId, page, size }: Page,
): Promise<{ records: TrashedRecord[]; total: number }> {
  const { db } = deps
  await getTrashBatch(deps, actor, batchId)
  const batch = await getBatch(db, batchId, { lock: false })
  if (!isOfRecords(batch))
    throw new AppError('not_found', 'There are no records in this batch of the trash')
  await requireShown(db, actor, batch.entity, 'Looking at records in the trash')
  const found = await db
    .select({
      id: trashRecords.id,
      key: sql`(${keySql(batch.keys)})::text`.mapWith(exactly),
      data: sql<string>`${trashRecords.data}::text`,
      problem: sql`${trashRecords.problem}::text`.mapWith((text: string) => exactly(text)),
    })
    .from(trashRecords)
    .where(eq(trashRecords.batchId, batch.id))
    .orderBy(asc(trashRecords.id))
    .limit(size)
    .offset(page * size)
  const limits = await limitsOf(deps, actor)
  const isDeletion = batch.kind === 'records'
  const shown = isDeletion ? await shownIn(db, limits, batch, found) : []
  const isOpen = openFields(limits, batch.entity)
  const records = found.map(({ id, key, data, problem }, at) => ({
    id,
    key,
    ...(isDeletion
      ? { record: servedFields(batch, exactly(data), shown[at] ?? SHOWN) }
      : changesOf(batch, exactly(data), isOpen)),
    problem: problem
      ? toConflict({ key, problem: problem as unknown as TrashProblem }, isOpen).message
      : null,
  }))
  return { records, total: batch.recordCount }
}

/** What an edit or import did to a record. */
function changesOf(
  { keys }: TrashBatchRow,
  data: Json,
  isOpen: (field: string) => boolean,
): Pick<TrashedRecord, 'record' | 'change' | 'changes'> {
  const { [BEFORE]: before = null, [AFTER]: after = null, ...key } = data as JsonObject
  const [old, now] = [isObject(before) ? before : null, isObject(after) ? after : {}]
  const names = Object.keys(now).filter((name) => isOpen(name) && !keys.includes(name))
  const pick = (from: JsonObject) =>
    Object.fromEntries(names.map((name): [string, Json] => [name, from[name] ?? null]))
  if (!old) return { record: { ...key, ...pick(now) }, change: 'created', changes: [] }
  return {
    record: { ...key, ...pick(old) },
    change: 'edited',
    changes: names.map((field) => ({
      field,
      before: old[field] ?? null,
      after: now[field] ?? null,
    })),
  }
}

/** What the caller may see of each record, as it was. */
async function shownIn(
  db: Db,
  limits: Limits,
  { entity: name }: TrashBatchRow,
  found: readonly { data: string }[],
): Promise<Shown[]> {
  const entity = limits.limited.get(name)?.entity
  const texts = found.map(({ data }) => data)
  return entity ? judgeStates(db, entity, readRuleIn(limits, name), texts) : []
}

const exactly = (text: string): Json => parseJson(text, { exactly: true })

/** The fields that a search would have returned: columns of dropped properties are kept, but not served. */
function servedFields(
  { properties, keys }: TrashBatchRow,
  data: Json,
  { shows }: Shown,
): JsonObject {
  if (!isObject(data)) return {}
  const names = new Set<string>([...keys, ...properties.map(({ name }) => name), ...AUDIT_FIELDS])
  const extra = data[EXTRA_COLUMN]
  const own = Object.entries(data).filter(([name]) => names.has(name))
  const all = { ...Object.fromEntries(own), ...(isObject(extra) ? extra : {}) }
  return Object.fromEntries(Object.entries(all).filter(([name]) => shows(name)))
}
