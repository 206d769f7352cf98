import { sql } from 'drizzle-orm'
import type { PgliteServer } from './pglite-server'
import { rows } from './rows'
import type { Db } from './types'

/** PGlite does not run autovacuum. */
const INTERVAL_MS = 10 * 60_000
const CHECKPOINT_INTERVAL_MS = 60_000
/** The largest log to replay when the database is opened after a crash. */
const CHECKPOINT_BYTES = 64 * 1024 * 1024

/** Starts the maintenance of the embedded database; returns a function that ends it. */
export function startMaintenance(db: Db, server: PgliteServer): () => void {
  const rounds = [
    setInterval(() => void tidy(() => maintain(db, server)), INTERVAL_MS),
    setInterval(() => void tidy(() => limitLog(db, server)), CHECKPOINT_INTERVAL_MS),
  ]
  for (const round of rounds) round.unref()
  return () => rounds.forEach(clearInterval)
}

/**
 * Runs VACUUM ANALYZE, one table at a time; a table interrupted by a request waits for the next
 * round.
 */
export async function maintain(db: Db, server: PgliteServer): Promise<void> {
  for (const { name } of await rows<{ name: string }>(db, TABLES))
    await server.run(`vacuum (analyze) ${name}`)
  await server.run('checkpoint')
}

async function limitLog(db: Db, server: PgliteServer): Promise<void> {
  const [log] = await rows<{ bytes: number }>(db, UNCHECKED)
  if (log && log.bytes > CHECKPOINT_BYTES) await server.run('checkpoint')
}

/** The next round repeats what fails now. */
async function tidy(work: () => Promise<void>): Promise<void> {
  await work().catch((error) => process.emitWarning(error as Error))
}

const TABLES = sql`
  select c.oid::regclass::text as name from pg_class c
  where c.relkind = 'r' and c.relpersistence = 'p' and not c.relisshared`

const UNCHECKED = sql`
  select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 as bytes
  from pg_control_checkpoint()`
