import { EventEmitter } from 'node:events'
import type { Bus } from './types'

/** Messages inside this process: all there is, since nobody else can open the embedded database. */
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
