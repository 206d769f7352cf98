import { setTimeout as pause } from 'node:timers/promises'
import { type Alarm, newAlarm } from '@/lib/async/alarm'
import { withOwnBudget } from '@/lib/db/budget'
import { reasonOf } from '@/lib/db/errors'
import type { Deps } from '@/lib/deps'
import { eventClock } from '@/lib/events/event-clock'
import { deliver } from './deliver'
import { type Claim, claimDeliveries, dueWebhooks, nextDueInMs } from './delivery-store'
import { queueChanges } from './queue-changes'
import { runningWebhooks } from './store'

/** Requests at a time to one receiver, by each instance: what one that hangs takes from the others. */
const SLOTS = 4
/** After so many failures in a row one request at a time finds out whether the receiver is back. */
const FAILING_AFTER = 10
/** The longest delay of what another instance changed, when its notification was lost. */
const IDLE_MS = 15_000
/** Beside many changes each webhook is read so often: more changes at a time, and less work for each. */
const QUEUE_MS = 100
/** A missed change is found by then. */
const RECHECK_MS = 5_000
/** What is due but claimed by another instance is looked at again after this time. */
const BUSY_MS = 250
/** Longer than an attempt takes. */
const ATTEMPT_MS = 60_000

/**
 * Queues what webhooks are to send and sends it, until `signal` aborts; any number of instances may do so. Resolves once what is in flight has
 * ended.
 */
export async function runWebhooks(deps: Deps, signal: AbortSignal): Promise<void> {
  const [queueing, sending] = [newAlarm(), newAlarm()]
  const ring = () => {
    queueing.ring()
    sending.ring()
  }
  const stopListening = await deps.bus.subscribe('engine_webhooks', ring)
  signal.addEventListener('abort', ring, { once: true })
  const inFlight = new Slots(deps, sending)
  const alarms = { queueing, sending, isWatched: false }
  const again = (work: () => Promise<void>, alarm: Alarm) => repeat(deps, signal, work, alarm)
  await Promise.all([
    again(() => queueAll(deps, signal, alarms), queueing),
    again(() => sendDue(deps, inFlight, sending), sending),
  ])
  await stopListening()
  await inFlight.ended()
}

async function repeat(
  deps: Deps,
  signal: AbortSignal,
  work: () => Promise<void>,
  alarm: Alarm,
): Promise<void> {
  while (!signal.aborted) {
    await withOwnBudget({ signal }, work).catch(async (error: unknown) => {
      if (signal.aborted) return
      deps.log.error({ error: reasonOf(error) }, 'webhooks stopped for now')
      await alarm.wait(RECHECK_MS)
    })
  }
}

/** `isWatched`: a wait for changes of the log is on its way. */
type Alarms = { queueing: Alarm; sending: Alarm; isWatched: boolean }

/** One look at the log of changes for each webhook, then a pause until there may be something new. */
async function queueAll(deps: Deps, signal: AbortSignal, alarms: Alarms): Promise<void> {
  const running = await runningWebhooks(deps.db)
  if (running.length === 0) return alarms.queueing.wait(IDLE_MS)
  const { turn } = eventClock(deps.db)
  let isCut = false
  for (const webhook of running) {
    const more = await queueChanges(deps, webhook).catch((error: unknown) => {
      if (signal.aborted) throw error
      deps.log.warn({ webhook: webhook.id, error: reasonOf(error) }, 'webhook was not read')
      return false
    })
    isCut ||= more
  }
  alarms.sending.ring()
  if (isCut) return
  if (!alarms.isWatched) void ringOnChange(deps, turn, signal, alarms)
  await alarms.queueing.wait(RECHECK_MS)
}

/** One at a time: each that an alarm from elsewhere overtakes would else go on beside the next. */
async function ringOnChange(
  { db }: Deps,
  turn: number,
  signal: AbortSignal,
  alarms: Alarms,
): Promise<void> {
  alarms.isWatched = true
  await Promise.all([eventClock(db).next(turn, RECHECK_MS, signal), pause(QUEUE_MS)])
  alarms.isWatched = false
  alarms.queueing.ring()
}

/** Begins what is due and has a slot, then pauses until something may be due, or ends. */
async function sendDue(deps: Deps, slots: Slots, alarm: Alarm): Promise<void> {
  for (const { id, failures } of await dueWebhooks(deps.db)) {
    const free = slots.free(id, failures < FAILING_AFTER ? SLOTS : 1)
    if (free > 0) for (const claim of await claimDeliveries(deps.db, id, free)) slots.take(claim)
  }
  const dueInMs = (await nextDueInMs(deps.db, slots.busy())) ?? IDLE_MS
  await alarm.wait(Math.min(IDLE_MS, Math.max(BUSY_MS, dueInMs)))
}

/** What this instance sends now. */
class Slots {
  #taken = new Map<string, Set<Promise<void>>>()

  constructor(
    private readonly deps: Deps,
    private readonly alarm: Alarm,
  ) {}

  free(webhookId: string, most: number): number {
    return most - (this.#taken.get(webhookId)?.size ?? 0)
  }

  /** Those whose next delivery begins when one ends. */
  busy(): string[] {
    return [...this.#taken.keys()]
  }

  take(claim: Claim): void {
    const taken = this.#taken.get(claim.webhookId) ?? new Set()
    this.#taken.set(claim.webhookId, taken)
    const attempt = withOwnBudget({ ms: ATTEMPT_MS }, () => deliver(this.deps, claim))
      .catch((error: unknown) => {
        const facts = { delivery: claim.id, error: reasonOf(error) }
        this.deps.log.warn(facts, 'webhook attempt was broken off')
      })
      .finally(() => {
        taken.delete(attempt)
        if (taken.size === 0) this.#taken.delete(claim.webhookId)
        this.alarm.ring()
      })
    taken.add(attempt)
  }

  async ended(): Promise<void> {
    await Promise.all([...this.#taken.values()].flatMap((taken) => [...taken]))
  }
}
