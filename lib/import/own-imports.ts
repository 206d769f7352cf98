import { desc, eq } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { isOwnedBy, ownedBy } from '@/lib/auth/owner'
import { type Actor, can } from '@/lib/auth/rights'
import { type ImportRow, imports } from '@/lib/db/schema'
import { type Db, now, one } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { Import } from './contract'
import { stopRunning } from './jobs/running'
import { COLUMNS, findImport, lockImport, readPart } from './jobs/store'

type Source = Pick<Deps, 'db'>

/** The caller's own imports, the newest first; a key that is limited to scopes gets those of entities that it may change. */
export async function listImports({ db }: Source, actor: Actor): Promise<Import[]> {
  const found = await db
    .select(COLUMNS)
    .from(imports)
    .where(ownedBy(imports, actor))
    .orderBy(desc(imports.createdAt), imports.id)
  return found.filter((row) => isOwn(row, actor)).map(toImport)
}

/** Throws `not_found`, also for an import of somebody else. */
export const getImport = async ({ db }: Source, actor: Actor, id: string): Promise<Import> =>
  toImport(requireOwn(await findImport(db, id), actor))

/** Throws `not_found` unless `row` is the caller's own. */
function requireOwn(row: ImportRow | null, actor: Actor): ImportRow {
  if (row && isOwn(row, actor)) return row
  throw new AppError('not_found', 'There is no import with this id; it may have expired')
}

const isOwn = (row: ImportRow, actor: Actor): boolean =>
  isOwnedBy(row, actor) &&
  (actor.scopes === null ||
    can(actor, { entity: row.entity, action: 'write' }) ||
    can(actor, { entity: row.entity, action: 'update' }))

export const toImport = (row: ImportRow): Import => ({
  id: row.id,
  entity: row.entity,
  fileName: row.fileName,
  format: row.format,
  mode: row.mode,
  key: row.key,
  dryRun: row.isDryRun,
  partial: row.isPartial,
  columns: row.columns,
  status: row.status,
  error: row.error,
  doneBytes: row.doneBytes,
  totalBytes: row.totalBytes,
  doneRows: row.doneRows,
  created: row.created,
  updated: row.updated,
  unchanged: row.unchanged,
  refused: row.refused,
  refusedRows: row.refusedRows,
  groups: row.groups,
  batchId: row.batchId,
  createdBy: row.createdBy,
  createdAt: row.createdAt.toISOString(),
  completedAt: row.completedAt?.toISOString() ?? null,
  expiresAt: row.expiresAt.toISOString(),
})

type By = { actor: Actor; requestId: string }

/**
 * Stops an import, on whichever instance; nothing of it is stored. One that is cancelled already is returned as it is. Throws `not_found`,
 * `conflict` when it is over.
 */
export async function cancelImport({ db }: Source, id: string, by: By): Promise<Import> {
  stopRunning(id, by.actor.userId ?? by.actor.id)
  return db.transaction(async (tx) => {
    const row = requireOwn(await lockImport(tx, id), by.actor)
    if (row.status === 'CANCELLED') return toImport(row)
    if (row.holder === null) throw new AppError('conflict', 'The import is over')
    const cancelled = await tx
      .update(imports)
      .set({ status: 'CANCELLED', holder: null, completedAt: now })
      .where(eq(imports.id, id))
      .returning()
    await recordOf(tx, 'imports.cancel', row, by)
    return toImport(one(cancelled))
  })
}

/** Deletes an import with its refused rows; one that runs is stopped. Throws `not_found`. */
export async function deleteImport({ db }: Source, id: string, by: By): Promise<void> {
  stopRunning(id, by.actor.userId ?? by.actor.id)
  await db.transaction(async (tx) => {
    const row = requireOwn(await lockImport(tx, id), by.actor)
    await tx.delete(imports).where(eq(imports.id, id))
    await recordOf(tx, 'imports.delete', row, by)
  })
}

/** Dry runs are not audited. */
async function recordOf(tx: Db, action: string, row: ImportRow, by: By): Promise<void> {
  const { id, entity: objectType, fileName: file, isDryRun } = row
  if (isDryRun) return
  const { actor, requestId } = by
  await recordAudit(tx, actor, { action, objectType, requestId, details: { import: id, file } })
}

type Request = { id: string; actor: Actor; requestId: string }

/** The refused rows of an import as CSV, with the reason in the last column. Throws `not_found`, and `conflict` when there are none. */
export async function readRefused(deps: Deps, { id, actor, requestId }: Request) {
  const row = requireOwn(await findImport(deps.db, id), actor)
  const { entity, refusedBytes, fileName } = row
  if (refusedBytes === 0) throw new AppError('conflict', 'The import has no refused rows')
  await recordAudit(deps.db, actor, {
    ...{ action: 'imports.download', objectType: entity, requestId },
    details: { import: id, file: fileName },
  })
  const name = fileName.replace(/\.[A-Za-z0-9]{1,8}$/, '')
  return {
    fileName: `${name}-refused.csv`,
    mediaType: 'text/csv; charset=utf-8; header=present',
    chunks: partsOf(deps, id, refusedBytes),
  }
}

async function* partsOf({ db }: Deps, id: string, bytes: number): AsyncGenerator<Uint8Array> {
  let sent = 0
  for (let position = 0; sent < bytes; position++) {
    const part = await readPart(db, id, position)
    if (!part) throw new Error('The import was deleted while its rows were downloaded')
    sent += part.length
    yield part
  }
}
