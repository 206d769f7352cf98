import type { Sql } from 'postgres'
import { get, send } from '../http/cases'
import { quantile } from '../http/rounds'
import { send as request } from '../million/send'

export type Rebalanced = {
  seconds: number
  /** Shards of the entity on each node afterwards. */
  shards: number[]
  created: number
  read: number
  /** Of requests meanwhile, in ms. */
  p50: number
  p95: number
  longest: number
  /** Records that the responses said were created, and are missing. */
  lost: number
}

/**
 * Adds a worker and moves shards to it while records are created and read through the API. `records`: how many there
 * were. Throws when a request fails.
 */
export async function rebalance(
  url: string,
  sql: Sql,
  { host, port }: { host: string; port: number },
  records: number,
): Promise<Rebalanced> {
  const times: number[] = []
  const created: number[] = []
  let read = 0
  let isDone = false
  const timed = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await work()
    times.push(performance.now() - startedAt)
  }
  const until = async (work: (n: number) => Promise<void>) => {
    for (let n = 0; !isDone; n++) await work(n)
  }
  const writing = until(async (n) => {
    const id = 1_000_000_000 + n
    await timed(() => request(url, send('POST', '/api/entities/Reading', reading(id))))
    created.push(id)
  })
  const lookingUp = until(async (n) => {
    const id = (records / 2 + ((n * 7919) % (records / 2)) + 1) | 0
    await timed(() => request(url, get(`/api/entities/Reading/${id}`)))
    read++
  })
  const both = Promise.all([writing, lookingUp])
  both.catch(() => {})
  const startedAt = performance.now()
  try {
    await sql`select citus_add_node(${host}, ${port})`
    await sql`select rebalance_table_shards(shard_transfer_mode => 'force_logical')`
  } finally {
    isDone = true
  }
  const seconds = (performance.now() - startedAt) / 1000
  await both
  const [found] = await sql<{ count: number }[]>`
    select count(*)::int from entities.reading where id = any(${created})`
  const shards = await sql<{ count: number }[]>`
    select count(*)::int from citus_shards where table_name = 'entities.reading'::regclass group by nodeport order by nodeport`
  return {
    seconds,
    shards: shards.map(({ count }) => count),
    created: created.length,
    read,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    longest: Math.max(...times),
    lost: created.length - (found?.count ?? 0),
  }
}

const reading = (id: number) => ({
  id,
  sensor: 'sensor-new',
  value: 1,
  unit: 'bar',
  takenAt: '2026-01-01T00:00:00Z',
  valid: true,
})
