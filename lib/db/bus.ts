import { EventEmitter } from 'node:events'
import type { ClientBase } from 'pg'
import { messageOf } from '@/lib/errors'
import type { Log } from '@/lib/log'
import type { Bus, BusChannel } from './sql'

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

/**
 * Messages within this process: no other process can open the embedded database. `own` are those that
 * the database itself sends.
 */
export function localBus(own: OwnNotifications): Bus {
  const emitter = new EventEmitter().setMaxListeners(0)
  return {
    publish: async (channel, payload) => void emitter.emit(channel, payload),
    subscribe: async (channel, listener) => {
      emitter.on(channel, listener)
      const unsubscribe = own.subscribe(channel, listener)
      return () => {
        unsubscribe()
        emitter.off(channel, listener)
      }
    },
  }
}

/** The channel of the triggers. */
const CHANNEL: BusChannel = 'engine_credentials'

/** As long as the opening of the connection may take. */
const LISTEN_MS = 4_000

type Listener = (payload: string) => void

/**
 * What the connections of a pool hear themselves. PostgreSQL sends a connection the notifications of
 * its own transaction before it confirms the commit, so listeners are called before the statement
 * that caused them resolves; those of other sessions reach it soon afterwards.
 */
export class OwnNotifications {
  private readonly emitter = new EventEmitter().setMaxListeners(0)

  /** Makes a new connection listen. Without it, its changes are heard a moment later by the bus. */
  readonly listenOn = async (client: Pick<ClientBase, 'on' | 'query'>): Promise<void> => {
    client.on('notification', ({ channel, payload = '' }) => this.emitter.emit(channel, payload))
    const listen = { text: `listen ${CHANNEL}`, query_timeout: LISTEN_MS }
    await client.query(listen as { text: string }).catch(() => {}) // a standby server refuses it
  }

  /** Returns a function that ends the subscription. */
  subscribe(channel: BusChannel, listener: Listener): () => void {
    this.emitter.on(channel, listener)
    return () => void this.emitter.off(channel, listener)
  }
}
