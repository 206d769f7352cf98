import 'server-only'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { clockTime } from '@/lib/db/functions'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import { countsFor } from '@/lib/registry/may-read'
import type { Imported, Progress } from '../rows/import-rows'
import type { RefusedFile } from '../rows/refused-file'
import { ImportLostError } from './import-lost'
import { addParts, afterDays, changeHeld, type Held } from './store'

export type Outcome = Imported & { progress: Progress; refused: RefusedFile }

/** Notes in the transaction of the records what was stored; without records, in one of its own. Throws `ImportLostError`. */
export async function finish(
  tx: Db,
  job: Held,
  entity: Entity,
  actor: Actor,
  { counts: found, groups, progress, refused }: Outcome,
  requestId: string,
): Promise<void> {
  const { created, updated, unchanged } = countsFor(actor, entity, found)
  const result = { status: 'DONE', created, updated, unchanged, groups }
  await close(tx, job, { ...result, ...progress, doneBytes: job.totalBytes }, refused)
  if (job.isDryRun) return
  await recordAudit(tx, actor, {
    ...{ action: 'records.import', objectType: job.entity, requestId },
    details: {
      import: job.id,
      file: job.fileName,
      ...{ created, updated, unchanged, refused: progress.refused },
    },
  })
}

type End = Parameters<typeof changeHeld>[2]

/** Ends an import with the rows that were refused. Throws `ImportLostError`. */
export async function close(
  tx: Db,
  job: Held,
  end: End,
  refused: RefusedFile | null,
): Promise<void> {
  if (refused) await addParts(tx, job.id, refused.parts())
  const rows = { refusedRows: refused?.rows ?? 0, refusedBytes: refused?.bytes ?? 0 }
  const over = { holder: null, completedAt: clockTime, expiresAt: afterDays }
  if (!(await changeHeld(tx, job, { ...end, ...rows, ...over }))) throw new ImportLostError()
}
