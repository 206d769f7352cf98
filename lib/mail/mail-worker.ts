import { newAlarm } from '@/lib/async/alarm'
import { hint } from '@/lib/db/bus'
import type { Deps } from '@/lib/deps'
import { messageOf } from '@/lib/errors'
import { deliverMails } from './deliver-mails'
import { nextDueInMs } from './store'

/** The longest delay of a mail that another instance queued, when its notification was lost. */
const IDLE_MS = 15_000
/** A mail that is due but claimed by another worker is checked again after this time. */
const BUSY_MS = 250
const AFTER_ERROR_MS = 5_000
/** The number of mails sent at the same time, so that one that hangs does not delay the others. */
const WORKERS = 4

/** Notifies the workers of all instances that a mail was queued; call it after the commit. */
export const announceMail = (deps: Pick<Deps, 'bus' | 'log'>) => hint(deps, 'engine_mail')

/**
 * Delivers the outbox in the background until `signal` aborts; several instances may do so. Without
 * a provider it does nothing: mails stay in the outbox, where administrators can read them.
 * Resolves once it listens.
 */
export async function startMailWorker(deps: Deps, signal: AbortSignal): Promise<void> {
  const { mail, bus } = deps
  if (!mail) return
  const alarms = Array.from({ length: WORKERS }, newAlarm)
  const ring = () => {
    for (const alarm of alarms) alarm.ring()
  }
  const stopListening = await bus.subscribe('engine_mail', ring)
  signal.addEventListener('abort', ring, { once: true })
  const workers = alarms.map(({ wait }) => work({ ...deps, mail }, signal, wait))
  void Promise.all(workers).finally(stopListening)
}

async function work(
  deps: Parameters<typeof deliverMails>[0],
  signal: AbortSignal,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await deliverMails(deps, signal)
      const dueInMs = (await nextDueInMs(deps.db)) ?? IDLE_MS
      await pause(Math.min(IDLE_MS, Math.max(BUSY_MS, dueInMs)))
    } catch (error) {
      deps.log.error({ error: messageOf(error).slice(0, 300) }, 'mail delivery stopped for now')
      if (!signal.aborted) await pause(AFTER_ERROR_MS)
    }
  }
}
