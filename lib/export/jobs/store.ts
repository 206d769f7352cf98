import { and, asc, desc, eq, inArray, lte, sql } from 'drizzle-orm'
import { ownedBy } from '@/lib/auth/owner'
import type { Actor } from '@/lib/auth/rights'
import { type ExportRow, exportParts, backgroundExports as exports } from '@/lib/db/schema'
import { type Db, now } from '@/lib/db/sql'
import { JOB_DAYS } from '@/lib/retention/terms'

/** A run that is silent for this long may be taken over. */
const LEASE_S = 30

export const inSeconds = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`
/** Files wait this long, and are deleted then. */
export const afterDays = sql`now() + make_interval(days => ${JOB_DAYS}::int)`

export type Claimed = ExportRow & { holder: string }

/** The caller's own exports, the newest first. */
export const exportsOf = (db: Db, actor: Actor): Promise<ExportRow[]> =>
  db
    .select()
    .from(exports)
    .where(ownedBy(exports, actor))
    .orderBy(desc(exports.createdAt), asc(exports.id))

export async function findExport(db: Db, id: string): Promise<ExportRow | null> {
  const [found] = await db.select().from(exports).where(eq(exports.id, id))
  return found ?? null
}

/** The same, locked until the transaction ends: its run writes nothing meanwhile. */
export async function lockExport(tx: Db, id: string): Promise<ExportRow | null> {
  const [found] = await tx.select().from(exports).where(eq(exports.id, id)).for('update')
  return found ?? null
}

/**
 * Takes up the oldest export that waits or whose run is silent, without what an earlier run wrote. Two
 * processes never get the same one. Null when there is none.
 */
export const claimExport = (db: Db, holder: string): Promise<Claimed | null> =>
  db.transaction(async (tx) => {
    const [due] = await tx
      .select({ id: exports.id })
      .from(exports)
      .where(and(inArray(exports.status, ['WAITING', 'RUNNING']), lte(exports.dueAt, now)))
      .orderBy(asc(exports.createdAt), asc(exports.id))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!due) return null
    await tx.delete(exportParts).where(eq(exportParts.exportId, due.id))
    const [claimed] = await tx
      .update(exports)
      .set({
        ...{ status: 'RUNNING', holder, dueAt: inSeconds(LEASE_S), doneRows: 0, bytes: 0 },
        attempts: sql`${exports.attempts} + 1`,
      })
      .where(eq(exports.id, due.id))
      .returning()
    return (claimed as Claimed | undefined) ?? null
  })

type Change = Omit<Parameters<ReturnType<Db['update']>['set']>[0], never>

/** Changes an export that `job` still holds; false when it was cancelled, deleted or taken over. */
export async function changeHeld(
  db: Db,
  { id, holder }: Pick<Claimed, 'id' | 'holder'>,
  change: Change,
): Promise<boolean> {
  const changed = await db
    .update(exports)
    .set(change)
    .where(and(eq(exports.id, id), eq(exports.holder, holder), eq(exports.status, 'RUNNING')))
    .returning({ id: exports.id })
  return changed.length > 0
}

/** Says that the run is alive, and how far it is. */
export const renewLease = (db: Db, job: Claimed, doneRows: number): Promise<boolean> =>
  changeHeld(db, job, { dueAt: inSeconds(LEASE_S), doneRows })

/** Adds a part to the file; false, with nothing written, when `job` is not held any more. */
export const addPart = (
  db: Db,
  job: Claimed,
  { position, bytes, doneRows }: { position: number; bytes: Buffer; doneRows: number },
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const size = sql`${exports.bytes} + ${bytes.length}`
    const isHeld = await changeHeld(tx, job, { bytes: size, doneRows, dueAt: inSeconds(LEASE_S) })
    if (isHeld) await tx.insert(exportParts).values({ exportId: job.id, position, bytes })
    return isHeld
  })

/** The part of a file at `position`; null after the last one. */
export async function readPart(db: Db, exportId: string, position: number): Promise<Buffer | null> {
  const [part] = await db
    .select({ bytes: exportParts.bytes })
    .from(exportParts)
    .where(and(eq(exportParts.exportId, exportId), eq(exportParts.position, position)))
  return part?.bytes ?? null
}
