import 'server-only'
import { eq } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { now } from '@/lib/db/functions'
import { one } from '@/lib/db/rows'
import { type ImportRow, imports } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { Import } from './contract'
import { stopRunning } from './jobs/running'
import { lockImport } from './jobs/store'
import { requireOwn, toImport } from './own-import'

type Source = Pick<Deps, 'db'>
type By = { actor: Actor; requestId: string }

/**
 * Stops an import, on whichever instance; nothing of it is stored. One that is cancelled already is returned as it is. Throws `not_found`,
 * `conflict` when it is over.
 */
export async function cancelImport({ db }: Source, id: string, by: By): Promise<Import> {
  stopRunning(id, by.actor.userId)
  return db.transaction(async (tx) => {
    const row = requireOwn(await lockImport(tx, id), by.actor)
    if (row.status === 'CANCELLED') return toImport(row)
    if (row.holder === null) throw new AppError('conflict', 'The import is over')
    const cancelled = await tx
      .update(imports)
      .set({ status: 'CANCELLED', holder: null, completedAt: now })
      .where(eq(imports.id, id))
      .returning()
    await recordAudit(tx, by.actor, entryOf('imports.cancel', row, by))
    return toImport(one(cancelled))
  })
}

/** Deletes an import with its refused rows; one that runs is stopped. Throws `not_found`. */
export async function deleteImport({ db }: Source, id: string, by: By): Promise<void> {
  stopRunning(id, by.actor.userId)
  await db.transaction(async (tx) => {
    const row = requireOwn(await lockImport(tx, id), by.actor)
    await tx.delete(imports).where(eq(imports.id, id))
    await recordAudit(tx, by.actor, entryOf('imports.delete', row, by))
  })
}

const entryOf = (action: string, { id, entity, fileName }: ImportRow, { requestId }: By) => ({
  ...{ action, objectType: entity, requestId },
  details: { import: id, file: fileName },
})
