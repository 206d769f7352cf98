import { type Statement, textOf } from '@/lib/db/guarded-client'
import type { Deps } from '@/lib/deps'

type Client = { query: (...args: unknown[]) => Promise<unknown> }
type Quick = { read: (statement: { text: string }, ...rest: unknown[]) => Promise<unknown> }
type Pool = Client & { connect: () => Promise<Client>; quick?: Quick }

/** Runs `work` and counts the messages to the database that it waits for, `begin` and `commit` included. */
export async function countRoundTrips(
  deps: Pick<Deps, 'db'>,
  work: () => Promise<unknown>,
): Promise<number> {
  return (await statementsOf(deps, work)).length
}

/** The texts of these messages. */
export async function statementsOf(
  { db }: Pick<Deps, 'db'>,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const pool = (db as unknown as { $client: Pool }).$client
  const connect = pool.connect.bind(pool)
  const texts: string[] = []
  const { quick } = pool
  const read = quick?.read.bind(quick)
  // What is not sent this way runs on a connection, as below.
  if (quick && read)
    quick.read = async (statement, ...rest) => {
      const found = await read(statement, ...rest)
      if (found) texts.push(statement.text)
      return found
    }
  // Every other statement runs on a connection, also those that are given to the pool.
  pool.connect = async () => {
    const client = await connect()
    const query = client.query.bind(client)
    client.query = (...args) => {
      texts.push(textOf(args[0] as Statement))
      return query(...args)
    }
    return client
  }
  try {
    await work()
    return texts
  } finally {
    pool.connect = connect
    if (quick && read) quick.read = read
  }
}
