import type { Deps } from '@/lib/deps'
import 'server-only'
import { hint } from '@/lib/db/hint'
import { messageOf } from '@/lib/errors'
import { deliverMails } from './deliver-mails'
import { nextDueInMs } from './store'

/** Mails of other instances are noticed this late at worst, when the hint about them was lost. */
const IDLE_MS = 15_000
/** What is due already, but held by another worker, is looked at again after this. */
const BUSY_MS = 250
const AFTER_ERROR_MS = 5_000
/** So many mails are on their way at once; one that hangs holds up none of the others. */
const LANES = 4

/** Tells the workers of all instances that a mail was queued; call it after the commit. */
export const announceMail = (deps: Pick<Deps, 'bus' | 'log'>) => hint(deps, 'engine_mail')

/**
 * Delivers the outbox in the background until `signal` aborts; any number of instances may. Without a
 * provider there is nothing to do: mails stay in the outbox, where administrators read them.
 * Resolves once it listens.
 */
export async function startMailWorker(deps: Deps, signal: AbortSignal): Promise<void> {
  const { mail, bus } = deps
  if (!mail) return
  const alarms = Array.from({ length: LANES }, newAlarm)
  const ring = () => {
    for (const alarm of alarms) alarm.ring()
  }
  const stopListening = await bus.subscribe('engine_mail', ring)
  signal.addEventListener('abort', ring, { once: true })
  const lanes = alarms.map(({ wait }) => work({ ...deps, mail }, signal, wait))
  void Promise.all(lanes).finally(stopListening)
}

/** A pause that can be cut short; a ring while nobody waits cuts the next one. */
function newAlarm() {
  let rung = false
  let wake = () => {}
  return {
    ring: () => {
      rung = true
      wake()
    },
    wait: async (ms: number) => {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      rung = false
    },
  }
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
