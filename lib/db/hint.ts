import { messageOf } from '@/lib/errors'
import type { Log } from '@/lib/log'
import type { Bus, BusChannel } from './types'

/**
 * Notifies all processes of a committed change. Never throws: the change is done, and a process
 * that misses the message finds it out a little later by itself. A failure is logged.
 */
export async function hint(
  { bus, log }: { bus: Bus; log: Log },
  channel: BusChannel,
  payload = '',
): Promise<void> {
  try {
    await bus.publish(channel, payload)
  } catch (error) {
    log.warn({ channel, error: messageOf(error).slice(0, 300) }, 'message to other processes lost')
  }
}
