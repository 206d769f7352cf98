import { added } from '@/lib/around'
import { writeUses } from '@/lib/auth/credential-uses'
import { passwordHasher } from '@/lib/auth/password'
import { loadSecret } from '@/lib/crypto/load-secret'
import type { Replicas } from '@/lib/db/replicas'
import type { Database } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { type Env, env } from '@/lib/env'
import { databaseResponds } from '@/lib/health/check-readiness'
import { offerPing } from '@/lib/health/ping'
import { layersFor } from '@/lib/layers'
import { createLog, type Log } from '@/lib/log'
import { createMailProvider } from '@/lib/mail-provider/create'
import { openRemote } from '@/lib/remote/open-remote'
import { requireDataFolder } from '@/lib/storage/require-data-folder'
import { createStorages } from '@/lib/storage/storages'
import { startTelemetry, stopTelemetry } from '@/lib/telemetry/start-telemetry'

declare module '@/lib/around' {
  interface Lists {
    /** Writes what is kept in memory for later, before the database is closed. Never throws. */
    beforeClose: (deps: Deps) => Promise<void>
  }
}

type Running = { deps: Deps; database: Database; replicas: Replicas | null }
type Started = { running: Promise<Running>; deps: Promise<Deps> }
const shared = globalThis as typeof globalThis & { __engine?: Started }

/**
 * The composition root: creates the dependencies from the settings, at start-up. Kept on
 * `globalThis` because instrumentation, pages and route handlers are separate bundles with a copy
 * of this module each, while the embedded database can be opened only once. The next call retries a
 * failed start.
 */
export function getDeps(): Promise<Deps> {
  shared.__engine ??= begin()
  return shared.__engine.deps
}

function begin(): Started {
  const running = (async () => start(env()))()
  running.catch(() => {
    shared.__engine = undefined
  })
  return { running, deps: running.then(({ deps }) => deps) }
}

/**
 * Writes what is kept for later and closes the database after running statements; the process must
 * end then.
 */
export async function stopRuntime(): Promise<void> {
  const running = await shared.__engine?.running
  if (!running) return
  await writeUses(running.deps)
  for (const write of added(running.deps, 'beforeClose')) await write(running.deps)
  await stopTelemetry()
  await running.replicas?.close()
  await running.database.close()
}

async function start(settings: Env): Promise<Running> {
  const layers = layersFor(settings)
  const log = createLog(settings.LOG_LEVEL)
  const folder = requireDataFolder(settings.DATA_DIR)
  // Without it a server with PostgreSQL takes no files, and does everything else.
  await (settings.DATABASE_URL ? folder.catch(({ message }) => log.warn(message)) : folder)
  const secret = await loadSecret(settings)
  const database = await openDatabase(settings)
  const { db, dialect, locks, bus, copyOut, connectAlone } = database
  // The embedded database is never away, though it may be busy.
  if (dialect === 'postgres') offerPing(() => databaseResponds(db, PAGE_PING_MS))
  const replicas = await openReplicas(settings, database, log)
  const storage = createStorages(settings)
  const mail = createMailProvider(settings)
  const hashPassword = passwordHasher()
  const remote = openRemote({ allowedHosts: settings.OUTGOING_ALLOWED_HOSTS })
  const outside = { layers, secret, hashPassword, storage, remote, mail }
  const opened = { db, dialect, locks, bus, copyOut, connectAlone }
  const deps: Deps = { settings, log, ...opened, replicas, ...outside }
  await startTelemetry(deps)
  return { deps, database, replicas }
}

/** A person waits for the page, so a busy database has this long to respond. */
const PAGE_PING_MS = 4_000

/** The drivers are imported on demand: a server on PostgreSQL never loads PGlite's WebAssembly. */
async function openDatabase({
  DATABASE_URL,
  DATABASE_DIRECT_URL,
  DATABASE_POOL_SIZE,
  DATA_DIR,
  DATA_DURABILITY,
}: Env): Promise<Database> {
  if (DATABASE_URL) {
    const { openPostgres } = await import('@/lib/db/postgres')
    const [directUrl, poolSize] = [DATABASE_DIRECT_URL, DATABASE_POOL_SIZE]
    return openPostgres({ url: DATABASE_URL, directUrl, poolSize })
  }
  const { builtImage, openPglite } = await import('@/lib/db/pglite')
  return openPglite(DATA_DIR, builtImage(), DATA_DURABILITY === 'full')
}

/** Null without `DATABASE_REPLICA_URLS`. Closes the database when an address is wrong. */
async function openReplicas(
  { DATABASE_URL, DATABASE_DIRECT_URL, ...settings }: Env,
  database: Database,
  log: Log,
): Promise<Replicas | null> {
  const { DATABASE_REPLICA_URLS: replicaUrls, DATABASE_POOL_SIZE: poolSize } = settings
  const url = DATABASE_DIRECT_URL ?? DATABASE_URL
  if (!url || replicaUrls.length === 0) return null
  const { Replicas } = await import('@/lib/db/replicas')
  const maxLagMs = settings.MAX_REPLICA_LAG_MS
  return Replicas.open({ url, replicaUrls, poolSize, maxLagMs, log }).catch(async (error) => {
    await database.close()
    throw error
  })
}
