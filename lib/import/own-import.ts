import { desc, eq } from 'drizzle-orm'
import { type Actor, can } from '@/lib/auth/rights'
import { type ImportRow, imports } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { Import } from './contract'
import { findImport } from './jobs/store'

type Source = Pick<Deps, 'db'>

/** The caller's own imports, the newest first; a key that is limited to scopes gets those of entities that it may change. */
export async function listImports({ db }: Source, actor: Actor): Promise<Import[]> {
  const found = await db
    .select()
    .from(imports)
    .where(eq(imports.ownerId, actor.userId))
    .orderBy(desc(imports.createdAt), imports.id)
  return found.filter((row) => isOwn(row, actor)).map(toImport)
}

/** Throws `not_found`, also for an import of somebody else. */
export const getImport = async ({ db }: Source, actor: Actor, id: string): Promise<Import> =>
  toImport(requireOwn(await findImport(db, id), actor))

/** Throws `not_found` unless `row` is the caller's own. */
export function requireOwn(row: ImportRow | null, actor: Actor): ImportRow {
  if (row && isOwn(row, actor)) return row
  throw new AppError('not_found', 'There is no import with this id; it may have expired')
}

const isOwn = ({ ownerId, entity }: ImportRow, actor: Actor): boolean =>
  ownerId === actor.userId &&
  (actor.scopes === null ||
    can(actor, { entity, action: 'write' }) ||
    can(actor, { entity, action: 'update' }))

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
  createdBy: row.createdBy,
  createdAt: row.createdAt.toISOString(),
  completedAt: row.completedAt?.toISOString() ?? null,
  expiresAt: row.expiresAt.toISOString(),
})
