import type { Sql } from 'postgres'
import type { Bus } from './types'

/** LISTEN and NOTIFY; postgres.js keeps one connection for it and listens again after a break. */
export const postgresBus = (client: Sql): Bus => ({
  publish: async (channel, payload) => {
    await client.notify(channel, payload)
  },
  subscribe: async (channel, listener) => {
    const { unlisten } = await client.listen(channel, listener)
    return () => void unlisten().catch(() => client.end({ timeout: 0 }))
  },
})
