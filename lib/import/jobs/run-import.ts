import { rm } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { requireStill } from '@/lib/auth/actor-now'
import type { Actor } from '@/lib/auth/rights'
import { rightsDigest } from '@/lib/auth/rights-digest'
import { currentBudget, withOwnBudget } from '@/lib/db/budget'
import { isContention, reasonOf } from '@/lib/db/errors'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { takeSlot } from '@/lib/load/gates'
import { requireCurrent } from '@/lib/registry/definition-version'
import { registryChanged, withCurrentEntity } from '@/lib/registry/registry'
import { nameReferences } from '../columns/name-references'
import { FileFault, type Source } from '../file/source'
import { importRules, isShown, requireColumns } from '../import-rules'
import { ACTIONS_OF_MODE } from '../open-import'
import { type Imported, importRows, type Progress, type RowPlan } from '../rows/import-rows'
import { RefusedFile } from '../rows/refused-file'
import { closeKept, keepFor } from './keep-import'
import { ImportLostError } from './running'
import { afterLease, changeHeld, close, finish, type Held, type Outcome } from './store'

export type Work = {
  /** The file, which is removed in the end. */
  path: string
  source: Source
  plan: Omit<RowPlan, 'toKeys'>
  actor: Actor
  requestId: string
  /** For how many days it can be undone. */
  undo: number | undefined
}

const BEAT_MS = 1_000
/** How often an import begins again that others keep from what they have locked. */
const MAX_ATTEMPTS = 3

/** Some rows are refused, so nothing of the file is stored. */
class RefusedError extends Error {
  constructor(readonly outcome: Outcome) {
    super('Rows are refused')
  }
}

/** Carries out an import, in one transaction, and records how it ended. Never throws. */
export async function runImport(
  deps: Deps,
  job: Held,
  work: Work,
  { stop, signal }: { stop: AbortController; signal: AbortSignal },
): Promise<void> {
  const progress: Progress = { doneBytes: 0, doneRows: 0, refused: 0 }
  const endBeats = beat(deps, job, progress, stop)
  let refused: RefusedFile | null = null
  let leave = () => {}
  try {
    leave = await takeSlot(deps, 'import', { actor: work.actor, signal })
    refused = await RefusedFile.create(
      `${work.path}-refused`,
      work.plan.columns.map(({ column }) => column),
    )
    await withOwnBudget({ signal, request: currentBudget().request }, () =>
      attempt(deps, job, work, { progress, refused: refused as RefusedFile }),
    )
  } catch (error) {
    await withOwnBudget({}, () => recordFailure(deps, job, error, progress, signal)).catch(
      (failure) =>
        deps.log.error(
          { importId: job.id, error: reasonOf(failure) },
          'the end of an import was not noted',
        ),
    )
  } finally {
    endBeats()
    leave()
    await refused?.remove().catch(() => {})
    await rm(work.path, { force: true }).catch(() => {})
  }
}

type State = { progress: Progress; refused: RefusedFile }

async function attempt(
  deps: Deps,
  job: Held,
  work: Work,
  state: State,
  attempts = MAX_ATTEMPTS,
): Promise<void> {
  const action = work.plan.mode === 'update' ? 'update' : 'write'
  try {
    if (!(await changeHeld(deps.db, job, { status: 'RUNNING', dueAt: afterLease })))
      throw new ImportLostError()
    const actor = await actorOf(deps.db, job, work)
    const current = { ...work, actor, plan: { ...work.plan, actor } }
    await withCurrentEntity(deps, job.entity, action, async (entity) => {
      const { mode, columns, key } = work.plan
      const { format } = work.source
      const rules = await importRules(deps, actor, entity, mode)
      requireColumns(rules, columns)
      if (!key.every((name) => isShown(rules, name))) throw new AppError('forbidden', CHANGED)
      const toKeys = await nameReferences(deps, actor, entity, { columns, format })
      const plan = { ...current.plan, rules, toKeys }
      await carryOut(deps, job, { ...current, plan }, state, entity)
    })
  } catch (error) {
    if (!isContention(error) || attempts <= 1) throw error
    await attempt(deps, job, work, state, attempts - 1)
  }
}

/** Whoever asked, with the rights of now. Throws `forbidden` when they may no longer do it. */
const actorOf = (db: Db, { entity, mode }: Held, { actor }: Work): Promise<Actor> =>
  requireStill(
    db,
    actor,
    ACTIONS_OF_MODE[mode].map((action) => ({ entity, action })),
  )

async function carryOut(
  deps: Deps,
  job: Held,
  work: Work & { plan: RowPlan },
  { progress, refused }: State,
  entity: Entity,
): Promise<void> {
  const { source, plan, actor, requestId } = work
  Object.assign(progress, { doneBytes: 0, doneRows: 0, refused: 0 })
  await refused.clear()
  const files = { source, refused, progress }
  if (job.isDryRun) {
    const imported = await (plan.rules
      ? importAndUndo(deps, entity, plan, files)
      : importRows(deps.db, entity, plan, files))
    const outcome = { ...imported, progress, refused, batchId: null, undoDays: undefined }
    return deps.db.transaction((tx) => finish(tx, job, entity, actor, outcome, requestId))
  }
  await deps.db.transaction(async (tx) => {
    await requireCurrent(tx, entity)
    await tx.execute(
      sql`select set_config('lock_timeout', ${String(deps.settings.INSTALL_WAIT_MS)}::text, true)`,
    )
    const keep = keepFor(deps, entity, work)
    const imported = await importRows(tx, entity, { ...plan, keep }, files)
    const batchId = keep && (await closeKept(deps, tx, entity, keep, work))
    const outcome = { ...imported, progress, refused, batchId, undoDays: work.undo }
    if (progress.refused > 0 && !job.isPartial) throw new RefusedError(outcome)
    if (rightsDigest(await actorOf(tx, job, work)) !== rightsDigest(actor))
      throw new AppError('forbidden', CHANGED)
    await finish(tx, job, entity, actor, outcome, requestId)
  })
  if (entity.open) await registryChanged(deps)
}

/** Ends a transaction whose changes are to be undone. */
class UndoneError extends Error {}

/** A dry run under policies, which say of records as they are written whether they may be. */
async function importAndUndo(
  deps: Deps,
  entity: Entity,
  plan: RowPlan,
  files: Parameters<typeof importRows>[3],
): Promise<Imported> {
  let imported: Imported | undefined
  try {
    await deps.db.transaction(async (tx) => {
      imported = await importRows(tx, entity, { ...plan, isDryRun: false }, files)
      throw new UndoneError('The import was a dry run')
    })
  } catch (error) {
    if (!(error instanceof UndoneError)) throw error
  }
  return imported as Imported
}

/** Says that the run is alive, and how far it is; ends it when the import is no longer its own. */
function beat(deps: Deps, job: Held, progress: Progress, stop: AbortController): () => void {
  let isBusy = false
  const renew = async () => {
    if (isBusy) return
    isBusy = true
    try {
      const isHeld = await withOwnBudget({ ms: BEAT_MS * 5 }, () =>
        changeHeld(deps.db, job, { dueAt: afterLease, ...progress }),
      )
      if (!isHeld) stop.abort(new ImportLostError())
    } catch {
      // Without a database nothing can be written either; the lease ends by itself.
    } finally {
      isBusy = false
    }
  }
  const timer = setInterval(() => void renew(), BEAT_MS).unref()
  return () => clearInterval(timer)
}

async function recordFailure(
  { db, log }: Deps,
  job: Held,
  error: unknown,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  if (error instanceof ImportLostError || signal.reason instanceof ImportLostError) return
  const isRefused = error instanceof RefusedError
  const isExpected =
    signal.aborted || isRefused || error instanceof FileFault || error instanceof AppError
  if (!isExpected)
    log.error({ importId: job.id, error: reasonOf(error) }, 'an import failed unexpectedly')
  const reason = signal.aborted ? new FileFault('The server was stopped') : error
  const end = { status: 'FAILED', error: messageFor(reason, progress), ...progress }
  const groups = isRefused ? { groups: error.outcome.groups } : {}
  await db
    .transaction((tx) =>
      close(tx, job, { ...end, ...groups }, isRefused ? error.outcome.refused : null),
    )
    .catch((lost) => {
      if (!(lost instanceof ImportLostError)) throw lost
    })
}

function messageFor(error: unknown, { refused, doneRows }: Progress): string {
  const rows = (count: number) => count.toLocaleString('en')
  if (error instanceof RefusedError)
    return `${rows(refused)} of ${rows(doneRows)} rows are refused, so none is stored; correct them, or import with partial=true`
  if (isContention(error)) return LOCKED
  return error instanceof FileFault || error instanceof AppError
    ? `${(error as Error).message}${/[.!?]$/.test((error as Error).message) ? '' : '.'} Nothing is stored`
    : UNEXPECTED
}

const CHANGED = 'Your rights changed meanwhile; import it again'
const LOCKED =
  'Other requests keep locked what the file changes; nothing is stored. Import it again'
const UNEXPECTED = 'The file could not be imported; nothing is stored. Try again'
