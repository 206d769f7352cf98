import { EventEmitter } from 'node:events'
import type { OwnNotifications } from './own-notifications'
import type { Bus } from './types'

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
