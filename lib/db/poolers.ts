import { randomInt } from 'node:crypto'
import type { Client } from 'pg'

const ROUNDS = 3

type Connect = () => Promise<Client>

/**
 * Throws when what `connect` reaches, the address in `variable`, is a pooler that lends a server connection for one
 * transaction only (PgBouncer: `pool_mode = transaction` or `statement`). There, a session's locks, settings
 * and subscriptions end up with another client. Detects it by two open connections that share a
 * server process, or by one whose process changes.
 */
export async function refuseTransactionPooler(connect: Connect, variable: Variable): Promise<void> {
  const first = await connect()
  try {
    if (!(await isPooled(first))) return
    const second = await connect()
    try {
      if (await areShared(first, second)) throw new Error(REFUSALS[variable])
    } finally {
      await second.end()
    }
  } finally {
    await first.end()
  }
}

type Variable = keyof typeof REFUSALS

const REFUSALS = {
  DATABASE_URL:
    'DATABASE_URL leads to a connection pooler in transaction mode (PgBouncer: pool_mode = transaction). Locks, subscriptions and migrations need sessions: set DATABASE_DIRECT_URL to the address of PostgreSQL itself, or pool_mode = session',
  DATABASE_DIRECT_URL:
    'DATABASE_DIRECT_URL leads to a connection pooler in transaction mode (PgBouncer: pool_mode = transaction). Set it to the address of PostgreSQL itself',
}

async function areShared(first: Client, second: Client): Promise<boolean> {
  const own = new Set<number>()
  const others = new Set<number>()
  for (let round = 0; round < ROUNDS; round++) {
    own.add(await processOf(first))
    others.add(await processOf(second))
  }
  return [...own].some((pid) => others.has(pid)) || own.size > 1 || others.size > 1
}

/** Poolers report made-up process ids to their clients. */
export const isPooled = async (client: Client): Promise<boolean> =>
  (await processOf(client)) !== (client as unknown as { processID: number }).processID

async function processOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

/**
 * Throws when both lead to different databases: locks taken in one would not hold in the other. Found out by a lock
 * of a random number, as it works with any rights.
 */
export async function requireSameDatabase(direct: Connect, pooled: Connect): Promise<void> {
  const key = randomInt(2 ** 47)
  const holder = await direct()
  try {
    await holder.query('select pg_advisory_lock($1)', [key])
    const other = await pooled()
    try {
      const { rows } = await other.query('select pg_try_advisory_xact_lock($1) as free', [key])
      if (rows[0]?.free) throw new Error(DIFFERENT)
    } finally {
      await other.end()
    }
  } finally {
    await holder.end()
  }
}

const DIFFERENT =
  'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases: set both to the same one, on the same server'
