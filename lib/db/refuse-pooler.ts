import type { Client } from 'pg'

const ROUNDS = 3

/**
 * Throws when what `connect` reaches is a pooler that lends a server connection for one transaction
 * only (PgBouncer: `pool_mode = transaction` or `statement`). There, a session's locks, settings
 * and subscriptions end up with another client. Detects it by two open connections that share a
 * server process, or by one whose process changes.
 */
export async function refuseTransactionPooler(connect: () => Promise<Client>): Promise<void> {
  const first = await connect()
  try {
    if (!(await isPooled(first))) return
    const second = await connect()
    try {
      await refuseShared(first, second)
    } finally {
      await second.end()
    }
  } finally {
    await first.end()
  }
}

async function refuseShared(first: Client, second: Client): Promise<void> {
  const own = new Set<number>()
  const others = new Set<number>()
  for (let round = 0; round < ROUNDS; round++) {
    own.add(await processOf(first))
    others.add(await processOf(second))
  }
  const meet = [...own].some((pid) => others.has(pid))
  if (meet || own.size > 1 || others.size > 1) throw new Error(REFUSAL)
}

const REFUSAL =
  'DATABASE_URL leads to a connection pooler in transaction mode (PgBouncer: pool_mode = transaction), which Engine cannot use: its locks, settings and notifications need sessions. Connect to PostgreSQL itself, or set pool_mode = session'

/** Poolers report made-up process ids to their clients. */
const isPooled = async (client: Client): Promise<boolean> =>
  (await processOf(client)) !== (client as unknown as { processID: number }).processID

async function processOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}
