import { requireStill } from '@/lib/auth/actor-now'
import type { Actor } from '@/lib/auth/rights'
import { withOwnBudget } from '@/lib/db/budget'
import { reasonOf } from '@/lib/db/errors'
import type { PromotionRow } from '@/lib/db/schema'
import { now } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { carryOut, requirePlanned } from '@/lib/promotion/carry-out'
import type { EngineClient } from '@/lib/promotion/engine-client'
import { PlansRefusedError } from '@/lib/promotion/install-plugins'
import { Journal } from '@/lib/promotion/journal'
import { type Planned, planPromotion } from '@/lib/promotion/plan-promotion'
import { undoPromotion } from '@/lib/promotion/undo-promotion'
import { ownClient } from '@/lib/servers/clients/own-client'
import { remoteClient } from '@/lib/servers/clients/remote-client'
import { addressOf, findServer } from '@/lib/servers/store'
import { viewOf } from './plan-view'
import { type Claimed, changeHeld, renewLease } from './store'

const MAX_ATTEMPTS = 3
const BEAT_MS = 2_000

/** Does what a claimed promotion waits for. Never throws for what is wrong with it. */
export async function runPromotion(deps: Deps, job: Claimed, stopping: AbortSignal): Promise<void> {
  const lost = new AbortController()
  const signal = AbortSignal.any([lost.signal, stopping])
  const endBeats = beat(deps, job, lost)
  try {
    if (job.attempts > MAX_ATTEMPTS) throw new AppError('unprocessable', DIED)
    await withOwnBudget({ signal }, async () => {
      const servers = await clientsOf(deps, job, signal)
      if (job.status === 'PLANNING') await plan(deps, job, servers)
      else if (job.status === 'UNDOING') await undo(deps, job, servers)
      else await run(deps, job, servers)
    })
  } catch (error) {
    if (error instanceof LostError || lost.signal.aborted) return
    await withOwnBudget({}, () => recordEnd(deps, job, error, stopping.aborted))
  } finally {
    endBeats()
  }
}

type Servers = { from: EngineClient; to: EngineClient }

async function clientsOf(deps: Deps, job: Claimed, signal: AbortSignal): Promise<Servers> {
  const actor = await actorOf(deps, job)
  if (job.serverId === null)
    throw new AppError('not_found', `The server "${job.serverName}" was removed`)
  const address = addressOf(deps, await findServer(deps.db, job.serverId))
  const own = ownClient(deps, actor, signal)
  const other = remoteClient(deps, address, signal)
  return job.direction === 'pull' ? { from: other, to: own } : { from: own, to: other }
}

/** Who asked for it, with the rights of now. */
function actorOf(
  { db }: Deps,
  { ownerId, keyId, scopes, createdBy }: PromotionRow,
): Promise<Actor> {
  const id = ownerId ?? keyId
  if (id === null)
    throw new AppError('forbidden', 'The account or key that asked for it was deleted')
  const type = ownerId === null ? 'api_key' : 'user'
  const known = { type, id, userId: ownerId, name: createdBy, roles: [], scopes } as const
  return requireStill(db, { ...known, address: null }, ['security:manage'])
}

const planned = (
  { settings }: Deps,
  { request }: Claimed,
  { from, to }: Servers,
): Promise<Planned> =>
  planPromotion(from, to, { ...request, maxBytes: settings.MAX_UNPACKED_BYTES })

async function plan(deps: Deps, job: Claimed, servers: Servers): Promise<void> {
  const made = await planned(deps, job, servers)
  const { seal, sources } = made
  await change(deps, job, {
    ...{ status: 'PLANNED', plan: viewOf(made), seal, sources },
    ...{ holder: null, attempts: 0, completedAt: now },
  })
}

async function run(deps: Deps, job: Claimed, servers: Servers): Promise<void> {
  const { steps } = job
  const journal = new Journal(steps, () => change(deps, job, { steps }))
  await journal.settle(servers.to)
  const made = await planned(deps, job, servers)
  if (job.startedAt === null) {
    requirePlanned(made, job.seal ?? '')
    await change(deps, job, { startedAt: now })
  } else requireSame(made, job)
  const done = [...job.done]
  const add = async (line: string) => {
    done.push(line)
    await change(deps, job, { done })
  }
  await carryOut(made, journal, add).catch(async (error) => {
    await journal.settle(servers.to).catch(() => {}) // else when it is undone
    if (steps.installs.length + Object.keys(steps.settings).length === 0)
      await change(deps, job, { done: [] })
    throw error
  })
  await change(deps, job, { status: 'DONE', holder: null, error: null, completedAt: now })
}

/** One that goes on after it was stopped brings what was planned, and nothing that changed since. */
function requireSame({ sources, plans, target }: Planned, job: Claimed): void {
  const changed = Object.keys(sources).filter((name) => sources[name] !== job.sources[name])
  if (changed.length > 0)
    throw new AppError(
      'conflict',
      `The source has changed while the promotion was stopped: ${changed.join(', ')}. What was done can be undone; or plan again`,
    )
  requirePlanned({ plans, target, seal: '' }, '')
}

async function undo(deps: Deps, job: Claimed, { to }: Servers): Promise<void> {
  const { steps } = job
  const journal = new Journal(steps, () => change(deps, job, { steps }))
  await journal.settle(to)
  const undone = [...job.undone, ...(await undoPromotion(to, steps))]
  const end = { undone, holder: null, error: null, completedAt: now }
  await change(deps, job, { status: 'UNDONE', ...end })
}

/** Throws `LostError` when another process works on it by now. */
async function change({ db }: Deps, job: Claimed, values: Parameters<typeof changeHeld>[2]) {
  if (!(await changeHeld(db, job, values))) throw new LostError()
}

/** Renews the lease while the run is alive; ends the run when it is no longer its own. */
function beat(deps: Deps, job: Claimed, lost: AbortController) {
  const renew = async () => {
    try {
      const isHeld = await withOwnBudget({ ms: BEAT_MS * 5 }, () => renewLease(deps.db, job))
      if (!isHeld) lost.abort(new LostError())
    } catch {
      // Without a database nothing can be written either; the lease ends by itself.
    }
  }
  const timer = setInterval(() => void renew(), BEAT_MS).unref()
  return () => clearInterval(timer)
}

/** A server that stops leaves it to the next one; for anything else it ends here, with the reason. */
async function recordEnd(deps: Deps, job: Claimed, error: unknown, isStopping: boolean) {
  const isPlan = job.status === 'PLANNING'
  const change = isStopping
    ? { holder: null, dueAt: now, attempts: job.attempts - 1 }
    : {
        ...{ status: isPlan ? 'FAILED' : 'STOPPED', holder: null, attempts: 0 },
        ...{ error: textOf(error), completedAt: now },
      }
  deps.log.warn({ promotionId: job.id, error: reasonOf(error) }, 'a promotion was interrupted')
  await changeHeld(deps.db, job, change)
}

function textOf(error: unknown): string {
  if (error instanceof PlansRefusedError) return refusalText(error)
  return error instanceof AppError ? error.message : UNEXPECTED
}

const MOST_NAMED = 20

function refusalText({ plans }: PlansRefusedError): string {
  const reasons = plans.flatMap(({ pluginId, files }) => {
    // The others are only not installed because of these.
    const causes = files.filter((file) => file.conflictCount + file.detailCount > 0)
    const failed = causes.length > 0 ? causes : files.filter(({ status }) => status === 'failed')
    return failed.map(({ path, error, details, conflictCount }) => {
      const conflicts = conflictCount > 0 ? `${conflictCount} in conflict` : null
      return `${pluginId}, ${path}: ${conflicts ?? details[0]?.message ?? error ?? 'failed'}`
    })
  })
  const left = reasons.length - MOST_NAMED
  const shown = [...reasons.slice(0, MOST_NAMED), ...(left > 0 ? [`and ${left} more`] : [])]
  return [
    `Plugins can not be installed: ${plans.map(({ pluginId }) => pluginId).join(', ')}`,
    ...shown,
  ].join('\n')
}

const DIED = 'The server ended three times meanwhile; what was done can be undone'
const UNEXPECTED = 'Something unexpected went wrong; see the log of the server'

/** Another process has taken the promotion over: nothing more is written for this run. */
class LostError extends Error {
  override readonly name = 'LostError'
}
