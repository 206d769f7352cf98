import 'server-only'
import { recordAudit } from '@/lib/audit/record-audit'
import { type Actor, requireRight } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { ExportBody } from './contract'
import { type ExportedFile, fileOf, resolveExport } from './export-records'
import { findExport, readPart } from './jobs/store'
import { requireOwn } from './own-export'

type Request = { id: string; actor: Actor; requestId: string }

/**
 * The file of an export, for its owner with the rights of this moment. Throws `not_found`, `conflict`
 * while there is no file, `forbidden` for a file of what the caller may no longer read.
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

async function* partsOf({ db }: Deps, id: string, bytes: number): AsyncGenerator<Uint8Array> {
  let sent = 0
  for (let position = 0; sent < bytes; position++) {
    const part = await readPart(db, id, position)
    if (!part) throw new Error('The export was deleted while it was downloaded')
    sent += part.length
    yield part
  }
}
