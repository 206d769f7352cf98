import { eq } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { isOwnedBy } from '@/lib/auth/owner'
import { type Actor, can, decide, isUnlimited, requireRight } from '@/lib/auth/rights'
import { backgroundExports, type ExportRow, exportParts } from '@/lib/db/schema'
import { now, one } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { BackgroundExport, ExportBody } from './contract'
import { type ExportedFile, fileOf, resolveExport } from './export-records'
import { rightsOf } from './jobs/rights-of-file'
import { exportsOf, findExport, lockExport, readPart } from './jobs/store'

type Source = Pick<Deps, 'db'>

/**
 * The caller's own exports, the newest first; a key that is limited to scopes gets those of entities
 * that it may read.
 */
export async function listExports({ db }: Source, actor: Actor): Promise<BackgroundExport[]> {
  const found = await exportsOf(db, actor)
  return found.filter((row) => isOwn(row, actor)).map(toBackgroundExport)
}

/** Throws `not_found`, also for an export of somebody else. */
export const getExport = async ({ db }: Source, actor: Actor, id: string) =>
  toBackgroundExport(requireOwn(await findExport(db, id), actor))

/** Throws `not_found` unless `row` is the caller's own. */
function requireOwn(row: ExportRow | null, actor: Actor): ExportRow {
  if (row && isOwn(row, actor)) return row
  throw new AppError('not_found', 'There is no export with this id; it may have expired')
}

const isOwn = (row: ExportRow, actor: Actor): boolean =>
  isOwnedBy(row, actor) &&
  (actor.scopes === null || can(actor, { entity: row.entity, action: 'read' }))

export const toBackgroundExport = (row: ExportRow): BackgroundExport => ({
  id: row.id,
  entity: row.entity,
  format: row.format,
  fileName: fileOf(row.entity, row.format).fileName,
  status: row.status,
  error: row.error,
  doneRows: row.doneRows,
  totalRows: row.totalRows,
  bytes: row.bytes,
  createdBy: row.createdBy,
  createdAt: row.createdAt.toISOString(),
  completedAt: row.completedAt?.toISOString() ?? null,
  expiresAt: row.expiresAt.toISOString(),
})

type By = { actor: Actor; requestId: string }

/**
 * Stops an export that is being prepared, on whichever instance, and removes what there is of its file.
 * One that is cancelled already is returned as it is. Throws `not_found`, `conflict` when it is over.
 */
export const cancelExport = ({ db }: Source, id: string, by: By): Promise<BackgroundExport> =>
  db.transaction(async (tx) => {
    const row = requireOwn(await lockExport(tx, id), by.actor)
    if (row.status === 'CANCELLED') return toBackgroundExport(row)
    if (row.status === 'READY' || row.status === 'FAILED')
      throw new AppError('conflict', 'The export is over; delete it if it is no longer needed')
    await tx.delete(exportParts).where(eq(exportParts.exportId, id))
    const cancelled = await tx
      .update(backgroundExports)
      .set({ status: 'CANCELLED', holder: null, bytes: 0, completedAt: now })
      .where(eq(backgroundExports.id, id))
      .returning()
    await recordAudit(tx, by.actor, entryOf('exports.cancel', row, by))
    return toBackgroundExport(one(cancelled))
  })

/** Deletes an export with its file, also while it is being prepared. Throws `not_found`. */
export const deleteExport = ({ db }: Source, id: string, by: By): Promise<void> =>
  db.transaction(async (tx) => {
    const row = requireOwn(await lockExport(tx, id), by.actor)
    await tx.delete(backgroundExports).where(eq(backgroundExports.id, id))
    await recordAudit(tx, by.actor, entryOf('exports.delete', row, by))
  })

const entryOf = (action: string, { id, entity, format }: ExportRow, { requestId }: By) => ({
  ...{ action, objectType: entity, requestId },
  details: { export: id, format },
})

type Request = { id: string; actor: Actor; requestId: string }

/**
 * The file of an export, for its owner with the rights of this moment. Throws `not_found`, `conflict`
 * while there is no file, `forbidden` for a file of what the caller may no longer read, and for one that was made with other
 * rights to the entity or to what it refers to.
 */
export async function readExportFile(
  deps: Deps,
  { id, actor, requestId }: Request,
): Promise<ExportedFile & { bytes: number }> {
  const row = requireOwn(await findExport(deps.db, id), actor)
  const { status, entity, format, bytes } = row
  requireRight(actor, { entity, action: 'read' })
  if (status !== 'READY') throw new AppError('conflict', 'The export has no file')
  await requireReadable(deps, entity, JSON.parse(row.body) as ExportBody, actor)
  if (!(await isOfRights(deps, row, actor))) throw new AppError('forbidden', OTHER_RIGHTS)
  await recordAudit(deps.db, actor, {
    ...{ action: 'exports.download', objectType: entity, requestId },
    details: { export: id, format },
  })
  return { ...fileOf(entity, format), bytes, chunks: partsOf(deps, id, bytes) }
}

/** Also what the conditions and columns refer to must still be there, and readable. */
async function requireReadable(deps: Deps, entity: string, body: ExportBody, actor: Actor) {
  try {
    await resolveExport(deps, entity, body, actor)
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error
    throw new AppError('forbidden', NO_LONGER)
  }
}

const NO_LONGER =
  'The file holds what you may no longer read, or what no longer exists; delete it and export again'

/** A file of a version before was made without limits. */
async function isOfRights(deps: Deps, { rights, entity }: ExportRow, actor: Actor) {
  if (rights !== null) return rights === (await rightsOf(deps, entity, actor))
  return isUnlimited(decide(actor.roles, actor.policies ?? [], { entity, action: 'read' }))
}

const OTHER_RIGHTS =
  'The file was made with other rights than you have now; delete it and export again'

async function* partsOf({ db }: Deps, id: string, bytes: number): AsyncGenerator<Uint8Array> {
  let sent = 0
  for (let position = 0; sent < bytes; position++) {
    const part = await readPart(db, id, position)
    if (!part) throw new Error('The export was deleted while it was downloaded')
    sent += part.length
    yield part
  }
}
