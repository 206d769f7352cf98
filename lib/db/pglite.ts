import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { type ClientBase, Pool } from 'pg'
import { currentBudget, withOwnBudget } from './budget'
import { localBus, OwnNotifications } from './bus'
import { type CopyOut, CopyStream, copyText, inlined } from './copy-out'
import { emptyDatabaseFile } from './empty-database.mjs'
import { lockFolder } from './folder-lock'
import { GuardedPool, type RawPool } from './guarded-pool'
import { localLocks } from './locks'
import { applyMigrations } from './migrations'
import { GRACE_MS, PgliteServer } from './pglite-server'
import { PgliteSocket } from './pglite-socket'
import * as schema from './schema'
import { type Database, type Db, rows } from './sql'

/**
 * Opens the embedded database kept in `dataDir/pglite`, or one in memory, and brings its schema up to
 * date. Throws when another process has the folder open, naming it. `image` is the file that a new
 * database starts from instead of nothing, as `PGlite.dumpDataDir` writes it. `isDurable`: a commit
 * waits until the disk has it.
 */
export async function openPglite(
  dataDir?: string,
  image?: string,
  isDurable = false,
): Promise<Database> {
  const release = dataDir ? await lockFolder(dataDir) : () => {}
  try {
    const folder = dataDir ? join(dataDir, 'pglite') : null
    const server = await PgliteServer.open({ folder, image, isDurable }).catch((error) => {
      const place = folder ? ` in ${folder}` : ''
      throw new Error(`The embedded database${place} can't be opened: ${error.message}`)
    })
    return await serve(server, release)
  } catch (error) {
    release()
    throw error
  }
}

/** What runs when the database is closed may still end in this time; then it is stopped. */
const CLOSE_GRACE_MS = 1_000

async function endPool(pool: Pool, server: PgliteServer): Promise<void> {
  // Again and again: a request that was stopped may go on to its next statement.
  const stopping = setInterval(() => void server.cancel(), CLOSE_GRACE_MS)
  await pool.end().finally(() => clearInterval(stopping))
}

/** The `image` that the build made; undefined without a build, and the first start takes some seconds more. */
export function builtImage(): string | undefined {
  const root = process.cwd()
  const file = resolve(/* turbopackIgnore: true */ root, emptyDatabaseFile(root))
  return existsSync(file) ? file : undefined
}

async function serve(server: PgliteServer, release: () => void): Promise<Database> {
  const own = new OwnNotifications()
  const pool = pglitePool(server, own.listenOn)
  const guarded = guardPglite(pool, server)
  const db = drizzle(guarded as unknown as Pool, { schema })
  await applyMigrations(db)
  const stopMaintenance = startMaintenance(db, server)
  return {
    dialect: 'pglite',
    db,
    locks: localLocks(),
    bus: localBus(own),
    copyOut: pgliteCopy(guarded, pool),
    connectAlone: async () => {
      const client = await pool.connect()
      return { client, release: async () => client.release() }
    },
    close: async () => {
      stopMaintenance()
      await endPool(pool, server)
      await server.close()
      release()
    },
  }
}

/** There is one connection, and an install may hold it for a while. */
const ACQUIRE_MS = 30_000
const MAX_WAITING = 500

/** The one connection to the embedded database; `onConnect` is called with each new one. */
export function pglitePool(
  server: PgliteServer,
  onConnect?: (client: ClientBase) => Promise<void>,
): Pool {
  const pool = new Pool({
    stream: () => new PgliteSocket(server),
    max: 1,
    idleTimeoutMillis: 0,
    onConnect,
    // Not used here, but the driver would read them from the environment.
    host: 'localhost',
    user: 'postgres',
    database: 'postgres',
    password: '',
    ssl: false,
  })
  // A thread that ends fails its statements; without listeners the process would end.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

export const guardPglite = (pool: Pool, server: PgliteServer) =>
  new GuardedPool(pool as unknown as RawPool, {
    cancel: () => server.cancel(),
    cancelGraceMs: 2 * GRACE_MS,
    acquireMs: ACQUIRE_MS,
    maxWaiting: MAX_WAITING,
    yields: true,
  })

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

const COPY_BATCH_SIZE = 5_000

/**
 * Stores the result in a temporary table first and reads it from there in batches: a download must
 * not hold the only connection.
 */
const pgliteCopy = (guarded: GuardedPool, pool: Pool): CopyOut =>
  async function* copy({ query, width, format }, signal) {
    const table = `pg_temp."copy_${randomUUID()}"`
    const columns = Array.from({ length: width }, (_, at) => `"c${at}"`).join(', ')
    const { request } = currentBudget()
    const run = (statement: string) =>
      withOwnBudget({ signal, request }, () => guarded.query(statement))
    try {
      await run(
        `create temp table ${table} as select row_number() over () as "$n", q.* from (${inlined(query)}) as q`,
      )
      await run(`create unique index on ${table} ("$n")`)
      for (let from = 0; ; from += COPY_BATCH_SIZE) {
        signal.throwIfAborted()
        const batch = `select ${columns} from ${table} where "$n" > ${from} and "$n" <= ${from + COPY_BATCH_SIZE} order by "$n"`
        const lines = await copyAll(pool, copyText(batch, format, 'stdout'))
        if (lines.length === 0) return
        yield lines
      }
    } finally {
      await withOwnBudget({}, () => guarded.query(`drop table if exists ${table}`))
    }
  }

async function copyAll(pool: Pool, statement: string): Promise<Buffer> {
  const client = await pool.connect()
  try {
    const chunks: Buffer[] = []
    for await (const chunk of client.query(new CopyStream(statement))) chunks.push(chunk)
    return Buffer.concat(chunks)
  } finally {
    client.release()
  }
}
