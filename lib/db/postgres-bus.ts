import postgres, { type Sql } from 'postgres'
import { withOwnBudget } from './budget'
import type { OwnNotifications } from './bus'
import type { GuardedPool } from './guarded-pool'
import { CONNECT_TIMEOUT_MS } from './postgres-connection'
import type { Bus } from './sql'

/** Messages are lost until a broken connection is reopened. */
const RECONNECT_SECONDS = 1
/** A hint that takes longer than this is given up. */
const PUBLISH_MS = 5_000
const CLOSE_SECONDS = 1

/**
 * LISTEN and NOTIFY. postgres.js keeps one connection that listens to all channels, opened by the
 * first subscription, and listens again after it broke. What the connections of the pool hear
 * themselves, `own`, is delivered too, so a message may come twice.
 */
export function postgresBus(
  url: string,
  pool: GuardedPool,
  own: OwnNotifications,
): Bus & { close(): Promise<void> } {
  const client = listeningClient(url)
  return {
    publish: async (channel, payload) => {
      await withOwnBudget({ ms: PUBLISH_MS }, () =>
        pool.query('select pg_notify($1, $2)', [channel, payload]),
      )
    },
    subscribe: async (channel, listener) => {
      const unsubscribe = own.subscribe(channel, listener)
      const { unlisten } = await client.listen(channel, listener).catch((error) => {
        unsubscribe()
        throw error
      })
      return () => {
        unsubscribe()
        void unlisten().catch(() => {}) // a broken connection has no subscriptions
      }
    },
    close: () => client.end({ timeout: CLOSE_SECONDS }),
  }
}

const listeningClient = (url: string): Sql =>
  postgres(url, {
    max: 1,
    onnotice: () => {},
    connect_timeout: CONNECT_TIMEOUT_MS / 1000,
    backoff: () => RECONNECT_SECONDS,
    connection: { application_name: 'engine' },
  })
