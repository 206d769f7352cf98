import 'server-only'
import { and, count, eq, inArray, sql } from 'drizzle-orm'
import { installFiles, installs } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Deps } from '@/lib/deps'
import { AppError, messageOf } from '@/lib/errors'
import type { Verdict } from '@/lib/plugins/verdict'
import { progressAnnouncer } from './announce-progress'

/**
 * Closes an install: planned files without a report fail as `verdict`, the counts are made
 * from the reports, and the status follows from them. Returns false, with nothing done, when it is
 * closed already.
 */
export async function closeInstall(
  tx: Db,
  id: number,
  verdict: Verdict,
  errors: string[],
): Promise<boolean> {
  // The row first: a commit of a file holds it too, so this either sees that file's report or prevents it.
  const [open] = await tx
    .select({ id: installs.id })
    .from(installs)
    .where(and(eq(installs.id, id), eq(installs.status, 'IN_PROGRESS')))
    .for('update')
  if (!open) return false
  const detail = errors[0] ?? 'The installation ended before this file'
  await tx.execute(sql`
    insert into ${installFiles} (install_id, path, target, status, error, details, detail_count, records, duration_ms)
    select i.id, p.path, p.target, 'failed', ${verdict}, ${JSON.stringify([{ message: detail }])}::jsonb, 1,
      '{"created":0,"updated":0,"unchanged":0,"failed":0}', 0
    from ${installs} i, jsonb_to_recordset(i.planned) as p(path text, target text)
    where i.id = ${id}
    on conflict (install_id, path) do nothing`)
  await settleCounts(tx, id, errors)
  return true
}

async function settleCounts(tx: Db, id: number, errors: string[]): Promise<void> {
  const succeeded = tx
    .select({ total: count().as('total') })
    .from(installFiles)
    .where(
      and(
        eq(installFiles.installId, id),
        inArray(installFiles.status, ['created', 'updated', 'unchanged']),
      ),
    )
    .as('succeeded')
  const { total } = succeeded
  const { totalFiles } = installs
  await tx
    .update(installs)
    .set({
      // A rollback begins and ends in one transaction, in which `now()` stands still.
      completedAt: sql`clock_timestamp()`,
      planned: [],
      errors,
      processedFiles: totalFiles,
      successCount: sql`${total}`,
      failedCount: sql`${totalFiles} - ${total}`,
      status: sql`case when ${total} = 0 then 'FAILED' when ${total} = ${totalFiles} then 'SUCCESS' else 'PARTIAL' end`,
    })
    .from(succeeded)
    .where(eq(installs.id, id))
}

/** Closes an install that `error` ended, with a reason that a user may know. */
export async function closeAfterError(deps: Deps, id: number, error: unknown): Promise<void> {
  const expected = error instanceof AppError
  const message = expected ? error.message : 'The installation ended unexpectedly'
  const reason = messageOf(error).slice(0, 500)
  deps.log[expected ? 'info' : 'error'](
    { installId: id, error: reason },
    'installation ended early',
  )
  // If the database is not available, the sweep closes the install later.
  await deps.db
    .transaction((tx) => closeInstall(tx, id, 'Interrupted', [message]))
    .catch((cause) =>
      deps.log.error(
        { installId: id, error: messageOf(cause).slice(0, 200) },
        'installation left to the sweep',
      ),
    )
  await progressAnnouncer(deps, id)({ now: true })
}
