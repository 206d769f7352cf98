import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { type Actor, can, requireRight } from '@/lib/auth/rights'
import {
  auditLog,
  type TrashBatchRow,
  type TrashProblem,
  trashBatches,
  trashRecords,
} from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { AUDIT_FIELDS, EXTRA_COLUMN } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { mayRead, requireRead } from '@/lib/registry/may-read'
import { entitiesNamed, mergeEntity } from '@/lib/registry/registry-rows'
import { judgeStates, SHOWN, type Shown } from '@/lib/search/judge-states'
import { isObject, type Json, type JsonObject, parseJson } from '@/lib/values/json'
import type { RestoreConflict, TrashBatch, TrashedRecord, TrashQuery } from './contract'
import { isThere, type Limits, limitsOf, openFields, readRuleIn, requireThere } from './limits'
import {
  entitiesInTrash,
  getBatch,
  keySql,
  selectBatches,
  selectConflicts,
  toConflict,
} from './store'

/**
 * The batches that `actor` may see or restore: deleted records of entities whose records it may delete, edits of those
 * that it may change and read, plugins for those who may install them, and changes of policies and roles for those who
 * manage security.
 */
export async function listTrash(
  deps: Deps,
  actor: Actor,
  { entity, ...page }: TrashQuery,
): Promise<{ batches: TrashBatch[]; total: number }> {
  const { db } = deps
  const limits = await limitsOf(deps, actor)
  const visible = await visibleIn(db, limits, entity)
  const { batches, total } = await selectBatches(db, visible, page)
  const queries = await queriesOf(db, limits, batches)
  return { batches: batches.map((row) => toBatch(row, queries)), total }
}

/** Whose batches `actor` may see: of one entity if given. */
export async function visibleIn(db: Db, limits: Limits, entity?: string) {
  const { actor } = limits
  const all = await entitiesInTrash(db)
  const of = (action: 'delete' | 'update') =>
    all.filter((name) => (!entity || name === entity) && can(actor, { entity: name, action }))
  const plugins = !entity && can(actor, 'plugins:install')
  const security = !entity && can(actor, 'security:manage')
  const edited: string[] = []
  for (const name of of('update')) if (await showsValues(db, actor, name)) edited.push(name)
  return { deleted: of('delete'), edited, plugins, security, isThere: isThere(limits) }
}

/** Their conditions, which hold values, for callers who may read all of them. */
async function queriesOf(db: Db, { actor, limited }: Limits, batches: readonly TrashBatchRow[]) {
  const ofRecords = batches.filter((batch) => isOfRecords(batch) && !limited.has(batch.entity))
  const shown = new Map<string, boolean>()
  for (const { entity } of ofRecords)
    if (!shown.has(entity)) shown.set(entity, await showsValues(db, actor, entity))
  const readable = ofRecords.filter(({ entity }) => shown.get(entity))
  return deletionQueries(
    db,
    readable.map(({ id }) => id),
  )
}

/**
 * One batch, with the conflicts of the last attempt to restore it; these show values, so callers without
 * the right to read get none. Throws `not_found`, `forbidden`.
 */
export async function getTrashBatch(
  deps: Deps,
  actor: Actor,
  batchId: string,
): Promise<TrashBatch & { conflicts: RestoreConflict[] }> {
  const { db } = deps
  const batch = await getBatch(db, batchId, { lock: false })
  if (batch.kind === 'plugin') {
    requireRight(actor, 'plugins:install')
    return { ...toBatch(batch, new Map()), conflicts: [] }
  }
  if (!isOfRecords(batch)) {
    requireRight(actor, 'security:manage')
    const found = await selectConflicts(db, batch)
    return { ...toBatch(batch, new Map()), conflicts: found.map((one) => toConflict(one)) }
  }
  const isEdit = batch.kind === 'edit'
  requireRight(actor, { entity: batch.entity, action: isEdit ? 'update' : 'delete' })
  if (isEdit) await requireShown(db, actor, batch.entity, 'An edit that can be taken back')
  const limits = await limitsOf(deps, actor)
  await requireThere(db, limits, batch)
  const conflicts = (await showsValues(db, actor, batch.entity))
    ? await selectConflicts(db, batch)
    : []
  const queries = await queriesOf(db, limits, [batch])
  const isOpen = openFields(limits, batch.entity)
  return {
    ...toBatch(batch, queries),
    conflicts: conflicts.map((one) => toConflict(one, isOpen)),
  }
}

export const isOfRecords = ({ kind }: Pick<TrashBatchRow, 'kind'>) =>
  kind === 'records' || kind === 'edit'

async function showsValues(db: Db, actor: Actor, name: string): Promise<boolean> {
  const [found] = await entitiesNamed(db, [name])
  if (found) return mayRead(actor, mergeEntity(found.row, found.schema))
  return can(actor, { entity: name, action: 'read' })
}

/** Throws as `requireRead` does; of an entity that is no longer installed, the right alone decides. */
async function requireShown(db: Db, actor: Actor, name: string, part: string): Promise<void> {
  const [found] = await entitiesNamed(db, [name])
  if (found) requireRead(actor, mergeEntity(found.row, found.schema), part)
  else requireRight(actor, { entity: name, action: 'read' })
}

const ignoredOf = (found: DeletionQuery | undefined) =>
  found?.ignored ? { ignored: found.ignored } : {}

const toBatch = (row: TrashBatchRow, queries: ReadonlyMap<string, DeletionQuery>): TrashBatch => ({
  batchId: row.id,
  kind: row.kind,
  ...(isOfRecords(row) ? { entity: row.entity } : { entity: null }),
  ...(row.kind === 'policy' || row.kind === 'role' ? { name: row.entity } : {}),
  plugins: (row.removed?.plugins ?? []).map(({ id, name, version }) => ({
    id: String(id),
    name: String(name),
    version: typeof version === 'string' ? version : null,
  })),
  entities:
    row.removed?.tables.map(({ entity }) => entity) ?? (isOfRecords(row) ? [row.entity] : []),
  count: row.recordCount,
  query: queries.get(row.id)?.query ?? null,
  ...ignoredOf(queries.get(row.id)),
  deletedBy: row.deletedBy,
  deletedAt: row.deletedAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
})

/** `query` null: the records were chosen otherwise, or the conditions were too long to be recorded. */
type DeletionQuery = { query: Json[] | null; ignored: string[] | null }

/** What deletions by batch were given, as the audit log has it: it is written in their transactions. */
async function deletionQueries(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, DeletionQuery>> {
  if (ids.length === 0) return new Map()
  const found = await db
    .select({
      id: trashBatches.id,
      query: sql<Json>`${auditLog.details} -> 'query'`,
      ignored: sql<string[] | null>`${auditLog.details} -> 'ignored'`,
    })
    .from(trashBatches)
    .innerJoin(
      auditLog,
      and(
        eq(auditLog.at, trashBatches.deletedAt),
        eq(auditLog.objectType, trashBatches.entity),
        sql`${auditLog.details} ->> 'batchId' = ${trashBatches.id}::text`,
      ),
    )
    .where(inArray(trashBatches.id, [...ids]))
  return new Map(
    found.map(({ id, query, ignored }) => [
      id,
      { query: Array.isArray(query) ? query : null, ignored },
    ]),
  )
}

type Page = { batchId: string; page: number; size: number }

/**
 * A page of the records in a batch, as they were; their numbers are marked. Throws `not_found`, `forbidden` without the
 * rights to delete and to read them.
 */
export async function batchRecords(
  deps: Deps,
  actor: Actor,
  { batchId, page, size }: Page,
): Promise<{ records: TrashedRecord[]; total: number }> {
  const { db } = deps
  await getTrashBatch(deps, actor, batchId)
  const batch = await getBatch(db, batchId, { lock: false })
  if (batch.kind !== 'records')
    throw new AppError('not_found', 'There are no deleted records in this batch of the trash')
  await requireShown(db, actor, batch.entity, 'Looking at deleted records')
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
  const shown = await shownIn(db, limits, batch, found)
  const isOpen = openFields(limits, batch.entity)
  const records = found.map(({ id, key, data, problem }, at) => ({
    id,
    key,
    record: servedFields(batch, exactly(data), shown[at] ?? SHOWN),
    problem: problem
      ? toConflict({ key, problem: problem as unknown as TrashProblem }, isOpen).message
      : null,
  }))
  return { records, total: batch.recordCount }
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
