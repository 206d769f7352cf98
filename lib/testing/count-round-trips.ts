import type { Deps } from '@/lib/deps'

type Client = { query: (...given: unknown[]) => Promise<unknown> }
type Pool = Client & { connect: () => Promise<Client> }

/** Runs `work` and counts the messages to the database that it waits for, `begin` and `commit` included. */
export async function countRoundTrips(
  { db }: Pick<Deps, 'db'>,
  work: () => Promise<unknown>,
): Promise<number> {
  const pool = (db as unknown as { $client: Pool }).$client
  const connect = pool.connect.bind(pool)
  let count = 0
  // Every statement runs on a connection, also those that are given to the pool.
  pool.connect = async () => {
    const client = await connect()
    const query = client.query.bind(client)
    client.query = (...given) => {
      count++
      return query(...given)
    }
    return client
  }
  try {
    await work()
    return count
  } finally {
    pool.connect = connect
  }
}
