import { setTimeout as pause } from 'node:timers/promises'
import pLimit from 'p-limit'
import { type Alarm, newAlarm } from '@/lib/async/alarm'
import { withOwnBudget } from '@/lib/db/budget'
import { reasonOf } from '@/lib/db/errors'
import type { WebhookRow } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { eventClock } from '@/lib/events/event-clock'
import { dueWebhooks, FAILING_AFTER, nextDueInMs } from './delivery-store'
import { queueChanges } from './queue-changes'
import { Slots } from './slots'
import { runningWebhooks } from './store'

/** The longest delay of what another instance changed, when its notification was lost. */
const IDLE_MS = 15_000
/** Beside many changes each webhook is read so often: more changes at a time, and less work for each. */
const QUEUE_MS = 100
/** A missed change is found by then. */
const RECHECK_MS = 5_000
/** Rings of so long are one; what is new has been sent without it. */
const SOON_MS = 25
/** What is due but claimed by another instance is looked at again after this time. */
const BUSY_MS = 250
/** How long a webhook is not read after another instance was faster, or while its receiver fails: reading is work for each change. */
const REST_MS = 1_000
/** Webhooks that are read at a time. */
const READ_AT_ONCE = 4

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
  const slots = new Slots(deps, signal, sending)
  const alarms = { queueing, sending, isWatched: false, resting: new Map() }
  const again = (work: () => Promise<void>, alarm: Alarm) => repeat(deps, signal, work, alarm)
  await Promise.all([
    again(() => queueAll(deps, slots, signal, alarms), queueing),
    again(() => sendDue(deps, slots, sending), sending),
  ])
  await stopListening()
  await slots.ended()
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

/** `isWatched`: a wait for changes of the log is on its way. `resting`: until when webhooks are not read, in ms. */
type Alarms = {
  queueing: Alarm
  sending: Alarm
  isWatched: boolean
  resting: Map<string, number>
}

/** One look at the log of changes for each webhook, then a pause until there may be something new. */
async function queueAll(
  deps: Deps,
  slots: Slots,
  signal: AbortSignal,
  alarms: Alarms,
): Promise<void> {
  const from = performance.now()
  const running = await runningWebhooks(deps.db)
  if (running.length === 0) return alarms.queueing.wait(IDLE_MS)
  const { turn } = eventClock(deps.db)
  const limited = pLimit(READ_AT_ONCE)
  const own = running.filter(({ id }) => (alarms.resting.get(id) ?? 0) <= performance.now())
  const read = own.map((webhook) => limited(() => queueOne(deps, slots, alarms, webhook)))
  if ((await Promise.all(read)).includes(true)) return
  const tookMs = performance.now() - from
  // As often however long reading takes, and no more than half of the time.
  const pauseMs = Math.max(QUEUE_MS - tookMs, tookMs)
  if (!alarms.isWatched) void ringOnChange(deps, { turn, pauseMs }, signal, alarms)
  await alarms.queueing.wait(RECHECK_MS)
}

/** What it finds is sent before others have been read. Returns whether there may be more at once. */
async function queueOne(
  deps: Deps,
  slots: Slots,
  { resting }: Alarms,
  webhook: WebhookRow,
): Promise<boolean> {
  const { id, failures } = webhook
  try {
    const { found, isCut, isTaken } = await queueChanges(deps, webhook)
    if (isTaken || failures >= FAILING_AFTER) resting.set(id, performance.now() + REST_MS)
    else resting.delete(id)
    if (found) void slots.fill(id)
    return isCut && !isTaken
  } catch (error) {
    if (slots.signal.aborted) throw error
    deps.log.warn({ webhook: id, error: reasonOf(error) }, 'webhook was not read')
    return false
  }
}

/** One at a time: each that an alarm from elsewhere overtakes would else go on beside the next. */
async function ringOnChange(
  { db }: Deps,
  { turn, pauseMs }: { turn: number; pauseMs: number },
  signal: AbortSignal,
  alarms: Alarms,
): Promise<void> {
  alarms.isWatched = true
  await Promise.all([eventClock(db).next(turn, RECHECK_MS, signal), pause(pauseMs)])
  alarms.isWatched = false
  alarms.queueing.ring()
}

/** Begins what is due, as retries are and what other instances left, then pauses until something may be due. */
async function sendDue(deps: Deps, slots: Slots, alarm: Alarm): Promise<void> {
  const due = await dueWebhooks(deps.db)
  await Promise.all(due.map((id) => slots.fill(id)))
  const dueInMs = (await nextDueInMs(deps.db, slots.busy())) ?? IDLE_MS
  await alarm.wait(Math.min(IDLE_MS, Math.max(BUSY_MS, dueInMs)))
  await pause(SOON_MS)
}
