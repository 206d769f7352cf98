import { sql } from 'drizzle-orm'
import { actorOfKey, actorOfUser } from '@/lib/auth/load-actor'
import { type Actor, requireRight } from '@/lib/auth/rights'
import { withOwnBudget } from '@/lib/db/budget'
import { reasonOf } from '@/lib/db/errors'
import { type Db, now } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { ExportBody } from '@/lib/export/contract'
import { exportRecords } from '@/lib/export/export-records'
import { countRecords } from '@/lib/search/count-records'
import { conditionsOfBody } from '@/lib/search/read-input'
import { formatBytes } from '@/lib/values/format-bytes'
import { rightsOf } from './rights-of-file'
import { addPart, afterDays, type Claimed, changeHeld, inSeconds, renewLease } from './store'

const MAX_ATTEMPTS = 3
/** A cancelled run ends within this time. */
const BEAT_MS = 2_000

/** Prepares the file of a claimed export. Never throws for what is wrong with the export. */
export async function runExport(deps: Deps, job: Claimed, stopping: AbortSignal): Promise<void> {
  const lost = new AbortController()
  const signal = AbortSignal.any([lost.signal, stopping])
  try {
    if (job.attempts > MAX_ATTEMPTS) throw new AppError('unprocessable', DIED)
    await withOwnBudget({ signal }, () => prepare(deps, job, { signal, lost }))
  } catch (error) {
    if (error instanceof ExportLostError || lost.signal.aborted) return
    await withOwnBudget({}, () => recordFailure(deps, job, error, stopping.aborted))
  }
}

type Stops = { signal: AbortSignal; lost: AbortController }

async function prepare(deps: Deps, job: Claimed, { signal, lost }: Stops): Promise<void> {
  // From the primary: whoever asked sees their own changes.
  const source = { ...deps, replicas: null }
  const reader = await readerOf(deps, job)
  const rights = await rightsOf(deps, job.entity, reader)
  const body = JSON.parse(job.body) as ExportBody
  const writer = partWriter(deps.db, job, deps.settings.MAX_EXPORT_BYTES)
  const endBeats = beat(deps, job, writer, lost)
  try {
    const total = await countRecords(source, job.entity, conditionsOfBody(body), reader)
    if (!(await changeHeld(deps.db, job, { totalRows: total }))) throw new ExportLostError()
    const { chunks } = await exportRecords(source, {
      ...{ entityName: job.entity, body, format: job.format, bom: job.bom, reader, signal },
      onRecords: (count) => {
        writer.doneRows += count
      },
    })
    for await (const chunk of chunks) await writer.write(chunk)
    await writer.end()
    await finish(deps, job, writer.doneRows, rights)
  } finally {
    endBeats()
  }
}

/** Who asked for it, with the rights of now. */
async function readerOf({ db }: Deps, { ownerId, keyId, scopes, entity }: Claimed): Promise<Actor> {
  const actor = await (ownerId === null
    ? actorOfKey(db, keyId ?? '')
    : actorOfUser(db, ownerId, scopes))
  if (!actor)
    throw new AppError(
      'forbidden',
      `The ${ownerId ? 'account' : 'API key'} that asked for it is not active`,
    )
  requireRight(actor, { entity, action: 'read' })
  return actor
}

/** Renews the lease while the run is alive; ends the run when it is no longer its own. */
function beat(deps: Deps, job: Claimed, writer: { doneRows: number }, lost: AbortController) {
  const renew = async () => {
    try {
      const isHeld = await withOwnBudget({ ms: BEAT_MS * 5 }, () =>
        renewLease(deps.db, job, writer.doneRows),
      )
      if (!isHeld) lost.abort(new ExportLostError())
    } catch {
      // Without a database nothing can be written either; the lease ends by itself.
    }
  }
  const timer = setInterval(() => void renew(), BEAT_MS).unref()
  return () => clearInterval(timer)
}

async function finish({ db }: Deps, job: Claimed, doneRows: number, rights: string): Promise<void> {
  const isHeld = await changeHeld(db, job, {
    ...{ status: 'READY', holder: null, rights, doneRows, totalRows: doneRows },
    ...{ completedAt: now, expiresAt: afterDays },
  })
  if (!isHeld) throw new ExportLostError()
}

/** What may pass is tried again later, by any process; else it has failed, for a reason that its owner may know. */
async function recordFailure(
  { db, log }: Deps,
  job: Claimed,
  error: unknown,
  isStopping: boolean,
): Promise<void> {
  const isExpected = error instanceof AppError && error.code !== 'unavailable'
  const isOver = isExpected || job.attempts >= MAX_ATTEMPTS
  const change = isStopping
    ? { status: 'WAITING', holder: null, dueAt: now, attempts: job.attempts - 1 }
    : isOver
      ? { status: 'FAILED', holder: null, error: reasonFor(error), completedAt: now, bytes: 0 }
      : { status: 'WAITING', holder: null, dueAt: inSeconds(5 * job.attempts) }
  log.warn({ exportId: job.id, error: reasonOf(error), isOver }, 'an export was interrupted')
  await db.transaction(async (tx) => {
    if (!(await changeHeld(tx, job, change)) || !('error' in change)) return
    await tx.execute(sql`delete from engine.export_parts where export_id = ${job.id}`)
  })
}

const reasonFor = (error: unknown): string =>
  error instanceof AppError ? error.message : UNEXPECTED

const DIED = 'The server ended three times while the file was prepared; export fewer records'
const UNEXPECTED = 'The file could not be prepared; try again, or export fewer records'

/** The export was cancelled, deleted or taken over: nothing more is written for this run. */
class ExportLostError extends Error {
  override readonly name = 'ExportLostError'
}

const PART_BYTES = 1024 * 1024

/**
 * Writes a file in parts. `write` and `end` throw `ExportLostError`, and `too_large` for a file of more
 * than `maxBytes`.
 */
function partWriter(db: Db, job: Claimed, maxBytes: number) {
  let waiting: Uint8Array[] = []
  let [waitingBytes, allBytes, position] = [0, 0, 0]
  const writer = { doneRows: 0, write, end }

  async function write(chunk: Uint8Array): Promise<void> {
    waiting.push(chunk)
    waitingBytes += chunk.length
    allBytes += chunk.length
    if (allBytes > maxBytes) throw tooLarge(maxBytes)
    if (waitingBytes >= PART_BYTES) await end()
  }

  async function end(): Promise<void> {
    if (waitingBytes === 0) return
    const part = { position, bytes: Buffer.concat(waiting), doneRows: writer.doneRows }
    if (!(await addPart(db, job, part))) throw new ExportLostError()
    waiting = []
    waitingBytes = 0
    position += 1
  }
  return writer
}

const tooLarge = (maxBytes: number) =>
  new AppError(
    'too_large',
    `The file would be larger than ${formatBytes(maxBytes)}; export fewer records or columns`,
  )
