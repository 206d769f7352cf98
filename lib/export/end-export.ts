import 'server-only'
import { eq } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { now } from '@/lib/db/functions'
import { one } from '@/lib/db/rows'
import { backgroundExports, type ExportRow, exportParts } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { BackgroundExport } from './contract'
import { lockExport } from './jobs/store'
import { requireOwn, toBackgroundExport } from './own-export'

type Source = Pick<Deps, 'db'>
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
