import { drizzle } from 'drizzle-orm/node-postgres'
import type { Pool } from 'pg'
import * as schema from '@/lib/db/schema'
import type { Bus, Database } from '@/lib/db/sql'

type Lease = { database: Database; end: () => void }

/**
 * `database` as one test file uses it: when that has ended, what it left running finds its database closed, and its
 * subscriptions are over.
 */
export function leaseOf(database: Database): Lease {
  const lease = { isOver: false }
  const { $client } = database.db as unknown as { $client: object }
  const client = closing($client, lease) as unknown as Pool
  const { bus, endSubscriptions } = endingBus(database.bus, lease)
  const locks = closing(database.locks, lease)
  const { connectAlone } = closing({ connectAlone: database.connectAlone }, lease)
  return {
    database: { ...database, db: drizzle(client, { schema }), locks, bus, connectAlone },
    end: () => {
      lease.isOver = true
      endSubscriptions()
    },
  }
}

/** `target`, whose methods reject once the lease is over. */
function closing<T extends object>(target: T, lease: { isOver: boolean }): T {
  const closed = async () => {
    throw new Error('The database of this test file is closed')
  }
  return new Proxy(target, {
    get: (object, name) => {
      const value = Reflect.get(object, name, object) as unknown
      if (typeof value !== 'function' || name === 'constructor') return value
      return lease.isOver ? closed : value.bind(object)
    },
  })
}

function endingBus(
  bus: Bus,
  lease: { isOver: boolean },
): { bus: Bus; endSubscriptions: () => void } {
  const ends = new Set<() => void>()
  const subscribe: Bus['subscribe'] = async (channel, listener) => {
    const end = await bus.subscribe(channel, listener)
    if (lease.isOver) end()
    else ends.add(end)
    return () => {
      ends.delete(end)
      end()
    }
  }
  const endSubscriptions = () => {
    for (const end of ends) end()
    ends.clear()
  }
  return { bus: { ...bus, subscribe }, endSubscriptions }
}
