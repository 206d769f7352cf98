import { EventEmitter } from 'node:events'
import type { Bus } from './types'

/** Messages within this process: no other process can open the embedded database. */
export function localBus(): Bus {
  const emitter = new EventEmitter().setMaxListeners(0)
  return {
    publish: async (channel, payload) => void emitter.emit(channel, payload),
    subscribe: async (channel, listener) => {
      emitter.on(channel, listener)
      return () => emitter.off(channel, listener)
    },
  }
}
