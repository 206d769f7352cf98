import { type Actor, can } from '@/lib/auth/rights'
import type { ExportRow } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { BackgroundExport } from './contract'
import { fileOf } from './export-records'
import { exportsOf, findExport } from './jobs/store'

type Source = Pick<Deps, 'db'>

/**
 * The caller's own exports, the newest first; a key that is limited to scopes gets those of entities
 * that it may read.
 */
export async function listExports({ db }: Source, actor: Actor): Promise<BackgroundExport[]> {
  const found = await exportsOf(db, actor.userId)
  return found.filter((row) => isOwn(row, actor)).map(toBackgroundExport)
}

/** Throws `not_found`, also for an export of somebody else. */
export const getExport = async ({ db }: Source, actor: Actor, id: string) =>
  toBackgroundExport(requireOwn(await findExport(db, id), actor))

/** Throws `not_found` unless `row` is the caller's own. */
export function requireOwn(row: ExportRow | null, actor: Actor): ExportRow {
  if (row && isOwn(row, actor)) return row
  throw new AppError('not_found', 'There is no export with this id; it may have expired')
}

const isOwn = ({ ownerId, entity }: ExportRow, actor: Actor): boolean =>
  ownerId === actor.userId && (actor.scopes === null || can(actor, { entity, action: 'read' }))

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
