import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import {
  type RemovedPlugins,
  type TrashBatchRow,
  type TrashProblem,
  trashBatches,
  trashRecords,
} from '@/lib/db/schema'
import { type Db, now } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import { showable } from '@/lib/rows/record-faults'
import { type Json, literalOf, parseJson } from '@/lib/values/json'
import { isUuid } from '@/lib/values/uuid'
import type { RestoreConflict } from './contract'

const isAlive = gt(trashBatches.expiresAt, now)

/** A deletion of records or plugins; `lock` prevents a concurrent restore or removal. Throws `not_found`. */
export async function getBatch(
  db: Db,
  id: string,
  { lock }: { lock: boolean },
): Promise<TrashBatchRow> {
  const query = db
    .select()
    .from(trashBatches)
    .where(and(eq(trashBatches.id, id), isAlive))
  const [found] = isUuid(id) ? await (lock ? query.for('update') : query) : []
  if (found) return found
  throw notInTrash()
}

export const notInTrash = () =>
  new AppError(
    'not_found',
    'There is no such batch in the trash; it was restored or deleted for good, or has expired',
  )

/** What an uninstall took away, locked until the end of a transaction. Throws `not_found`. */
export async function removedPlugins(db: Db, id: string): Promise<RemovedPlugins> {
  const { removed } = await getBatch(db, id, { lock: true })
  if (!removed) throw new AppError('not_found', 'There are no plugins in this batch of the trash')
  return removed
}

/** The batches of records that the deletion of this one took along, in the order in which they can return. */
export const batchesOf = (db: Db, { id }: TrashBatchRow): Promise<TrashBatchRow[]> =>
  db
    .select()
    .from(trashBatches)
    .where(and(eq(trashBatches.rootId, id), isAlive))
    .orderBy(asc(trashBatches.position), asc(trashBatches.id))
    .for('update')

/** Restored with another one, unless that is no longer there: then by itself. */
const isListed = sql`not exists (select from ${trashBatches} as root where root.id = ${trashBatches.rootId})`

/** Names of entities with deleted, edited or imported records in the trash. */
export async function entitiesInTrash(db: Db): Promise<string[]> {
  const found = await db
    .selectDistinct({ entity: trashBatches.entity })
    .from(trashBatches)
    .where(inArray(trashBatches.kind, ['records', 'edit', 'import']))
  return found.map(({ entity }) => entity)
}

/** Whose deletions and edits are listed, by entity, and whether those of plugins and of security are. */
type Shown = {
  deleted: readonly string[]
  edited: readonly string[]
  /** Of imports that created records, or changed some. */
  imported: { created: readonly string[]; changed: readonly string[] }
  plugins: boolean
  /** Changes of policies and roles. */
  security: boolean
  /** What policies leave of these, over `trash_batches`. */
  isThere: SQL | undefined
  /** Which of them are asked for, likewise. */
  holds?: SQL | undefined
}

/** A page of what can be undone, the last one first, and the number of all. */
export async function selectBatches(
  db: Db,
  shown: Shown,
  { page, size }: { page: number; size: number },
): Promise<{ batches: TrashBatchRow[]; total: number }> {
  const where = shownSql(shown)
  const total = await db.$count(trashBatches, where)
  const batches = await db
    .select()
    .from(trashBatches)
    .where(where)
    .orderBy(desc(trashBatches.deletedAt), trashBatches.id)
    .limit(size)
    .offset(page * size)
  return { batches, total }
}

function shownSql({
  deleted,
  edited,
  imported,
  plugins,
  security,
  isThere,
  holds,
}: Shown): SQL | undefined {
  const { entity, createdCount, recordCount } = trashBatches
  const ofImports = and(
    eq(trashBatches.kind, 'import'),
    or(eq(createdCount, 0), inArray(entity, [...imported.created])),
    or(eq(createdCount, recordCount), inArray(entity, [...imported.changed])),
  )
  const of = (kind: 'records' | 'edit', entities: readonly string[]) =>
    and(eq(trashBatches.kind, kind), inArray(entity, [...entities]))
  const ofPlugins = plugins ? eq(trashBatches.kind, 'plugin') : undefined
  const ofSecurity = security ? inArray(trashBatches.kind, ['policy', 'role']) : undefined
  const shown = or(of('records', deleted), of('edit', edited), ofImports, ofPlugins, ofSecurity)
  return and(shown, isAlive, isListed, isThere, holds)
}

/** The ids of all that `selectBatches` would list. */
export async function selectBatchIds(db: Db, shown: Shown): Promise<string[]> {
  const found = await db.select({ id: trashBatches.id }).from(trashBatches).where(shownSql(shown))
  return found.map(({ id }) => id)
}

/** The most conflicts that one response lists. */
const MAX_CONFLICTS = 1000

export type ConflictRow = { key: Json; problem: TrashProblem }

/** The conflicts of the last attempt to restore a batch, at most 1,000; their numbers are marked. */
export function selectConflicts(db: Db, { id, keys }: TrashBatchRow): Promise<ConflictRow[]> {
  return db
    .select({
      key: sql`(${keySql(keys)})::text`.mapWith(parseExactly),
      problem: sql`${trashRecords.problem}::text`.mapWith(
        (text: string) => parseExactly(text) as TrashProblem,
      ),
    })
    .from(trashRecords)
    .where(and(eq(trashRecords.batchId, id), isNotNull(trashRecords.problem)))
    .orderBy(asc(trashRecords.id))
    .limit(MAX_CONFLICTS)
}

const parseExactly = (text: string) => parseJson(text, { exactly: true })

/** The value of the key; an object of several values. */
export function keySql(keys: readonly string[]): SQL {
  const [only] = keys
  if (only && keys.length === 1) return sql`${trashRecords.data} -> ${only}::text`
  const pairs = keys.map((key) => sql`${key}::text, ${trashRecords.data} -> ${key}::text`)
  return sql`jsonb_build_object(${sql.join(pairs, sql`, `)})`
}

/** Removes the conflicts of an earlier attempt. */
export const clearProblems = (tx: Db, batchId: string) =>
  tx
    .update(trashRecords)
    .set({ problem: null })
    .where(and(eq(trashRecords.batchId, batchId), isNotNull(trashRecords.problem)))

/** Takes restored records out of the trash, `created` ones of an import among them; an empty batch is removed too. */
export async function removeRestored(
  tx: Db,
  { id, recordCount, createdCount }: TrashBatchRow,
  restored: number,
  created = 0,
): Promise<void> {
  const isRestored = and(eq(trashRecords.batchId, id), isNull(trashRecords.problem))
  await tx.delete(trashRecords).where(isRestored)
  const left = recordCount - restored
  if (left === 0) await tx.delete(trashBatches).where(eq(trashBatches.id, id))
  else
    await tx
      .update(trashBatches)
      .set({ recordCount: left, createdCount: createdCount - created })
      .where(eq(trashBatches.id, id))
}

/** A record that could not be restored, as clients see it: without fields that are not open to them. */
export function toConflict(
  { key, problem }: ConflictRow,
  isOpen: (field: string) => boolean = () => true,
): RestoreConflict {
  const { reason, fields, value } = problem
  if (!fields.every(isOpen)) return { key, reason, fields: [], message: UNTOLD }
  const names = fields.map((name) => `"${name}"`).join(', ')
  const shown = literalOf(value) ?? JSON.stringify(showable(value))
  const messages: Record<typeof problem.reason, string> = {
    'key-taken': `The key ${names} = ${shown} is taken again`,
    'unique-taken': `${names} must be unique: another record has ${shown} now`,
    'reference-gone': `${names} refers to ${shown}, which no longer exists`,
    'changed-since': `${names} has been changed since, to ${shown}`,
    'record-gone': 'The record has been deleted since',
    'still-referenced': 'Other records refer to it',
    'does-not-fit': `${names} can no longer be ${shown}: the entity has changed since`,
  }
  return { key, reason, fields, message: messages[reason] }
}

const UNTOLD = 'A value of the record can no longer be stored'
