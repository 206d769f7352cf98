import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { type ImportRow, importParts, imports, trashBatches } from '@/lib/db/schema'
import { clockTime, type Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { countsFor } from '@/lib/registry/may-read'
import { JOB_DAYS } from '@/lib/retention/terms'
import type { Imported, Progress } from '../rows/import-rows'
import type { RefusedFile } from '../rows/refused-file'
import { ImportLostError } from './running'

/** A run that is silent for this long counts as dead. */
const LEASE_S = 30

export const afterLease = sql`now() + make_interval(secs => ${LEASE_S}::int)`
/** Imports are listed, and their refused rows wait, for this long. */
export const afterDays = sql`now() + make_interval(days => ${JOB_DAYS}::int)`

export type Held = ImportRow & { holder: string }

/** `batchId` while the trash has something of it. */
export const COLUMNS = {
  ...getTableColumns(imports),
  batchId: sql<string | null>`(select kept.id from ${trashBatches} as kept
    where kept.id = ${imports.batchId} and kept.expires_at > now())`,
}

export async function findImport(db: Db, id: string): Promise<ImportRow | null> {
  const [found] = await db.select(COLUMNS).from(imports).where(eq(imports.id, id))
  return found ?? null
}

/** The same, locked until the transaction ends: its run can't finish meanwhile. */
export async function lockImport(tx: Db, id: string): Promise<ImportRow | null> {
  const [found] = await tx.select(COLUMNS).from(imports).where(eq(imports.id, id)).for('update')
  return found ?? null
}

type Change = Parameters<ReturnType<Db['update']>['set']>[0]

/** Changes an import that is not over and that `job` still holds; false when it was cancelled, deleted or closed. */
export async function changeHeld(
  db: Db,
  { id, holder }: Pick<Held, 'id' | 'holder'>,
  change: Change,
): Promise<boolean> {
  const changed = await db
    .update(imports)
    .set(change)
    .where(and(eq(imports.id, id), eq(imports.holder, holder)))
    .returning({ id: imports.id })
  return changed.length > 0
}

async function addParts(db: Db, importId: string, parts: AsyncIterable<Buffer>) {
  let position = 0
  for await (const bytes of parts)
    await db.insert(importParts).values({ importId, position: position++, bytes })
}

/** The part of the refused rows at `position`; null after the last one. */
export async function readPart(db: Db, importId: string, position: number): Promise<Buffer | null> {
  const [part] = await db
    .select({ bytes: importParts.bytes })
    .from(importParts)
    .where(and(eq(importParts.importId, importId), eq(importParts.position, position)))
  return part?.bytes ?? null
}

export type Outcome = Imported & {
  progress: Progress
  refused: RefusedFile
  /** By which it can be undone for so many days. */
  batchId: string | null
  undoDays: number | undefined
}

/** Records in the transaction of the records what was stored; without records, in one of its own. Throws `ImportLostError`. */
export async function finish(
  tx: Db,
  job: Held,
  entity: Entity,
  actor: Actor,
  { counts: found, groups, progress, refused, batchId, undoDays }: Outcome,
  requestId: string,
): Promise<void> {
  const { created, updated, unchanged } = countsFor(actor, entity, found)
  const result = { status: 'DONE', created, updated, unchanged, groups, batchId }
  await close(tx, job, { ...result, ...progress, doneBytes: job.totalBytes }, refused)
  if (job.isDryRun) return
  await recordAudit(tx, actor, {
    ...{ action: 'records.import', objectType: job.entity, requestId },
    details: {
      import: job.id,
      file: job.fileName,
      ...{ created, updated, unchanged, refused: progress.refused },
      ...(batchId ? { batchId, undoDays: undoDays ?? 0 } : {}),
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
