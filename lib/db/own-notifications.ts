import { EventEmitter } from 'node:events'
import type { ClientBase } from 'pg'
import type { BusChannel } from './types'

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
