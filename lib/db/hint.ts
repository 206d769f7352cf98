import { messageOf } from '@/lib/errors'
import type { Log } from '@/lib/log'
import type { Bus, BusChannel } from './types'

/**
 * Tells all processes of something that is committed already. Never throws: the work is done, and
 * whoever misses the message finds out by itself a little later. A failure is logged.
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
