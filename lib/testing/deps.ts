import { rmSync } from 'node:fs'
import { beforeEach, inject } from 'vitest'
import { attachLayers } from '@/lib/around'
import { loadSecret } from '@/lib/crypto/load-secret'
import type { Deps } from '@/lib/deps'
import { parseEnv } from '@/lib/env'
import { layersFor } from '@/lib/layers'
import { createLog } from '@/lib/log'
import { openRemote } from '@/lib/remote/open-remote'
import { createStorages } from '@/lib/storage/storages'
import { opened } from './database'
import { emptyDatabase } from './empty-database'
import { hashPassword } from './password'

/** Whether tests run on a PostgreSQL server; otherwise they use the embedded database. */
export const testsOnPostgres = () => Boolean(process.env.TEST_DATABASE_URL)

/** Whether a pooler is between them, where no statement is prepared. */
export const testsThroughPooler = () => Boolean(process.env.TEST_DATABASE_DIRECT_URL)

/** Whether tests run on the core alone. */
export const testsOfCore = () => process.env.TEST_LAYERS === 'none'

/** Whether tests run on a Citus cluster, where every entity that may be is distributed by its key. */
export const testsOnCitus = () => (inject('databaseTemplate')?.nodes ?? []).length > 1

type Settings = Record<string, string>

const held = {} as Deps
// What the process keeps of the definitions that were installed before.
const registries = globalThis as { __engineRegistry?: WeakMap<object, unknown> }

/**
 * What the tests and handlers of a file run on: emptied before each test. A test may replace a
 * part of it by assignment; the next test begins without that.
 */
export function freshDeps(settings: Settings | (() => Settings) = {}): Deps {
  beforeEach(async () => {
    await testDeps(typeof settings === 'function' ? settings() : settings)
  })
  return held
}

/** The same object, for files whose tests call `testDeps` themselves. */
export const currentDeps = (): Deps => held

/**
 * Empty database with every migration applied: PGlite in memory, or with TEST_DATABASE_URL a new
 * database on that server. A test file opens one and empties it (about 10 ms) each time. Handlers
 * run on what this returns, which is the same object each time.
 */
export async function testDeps(settings: Settings = {}): Promise<Deps> {
  const { db, dialect, locks, bus, copyOut, connectAlone } = await opened
  await emptyDatabase(db)
  const env = parseEnv({
    NEXTAUTH_SECRET: process.env.NEXTAUTH_SECRET,
    DATA_DIR: dataDir(),
    // Nothing is refused because the machine is busy.
    READ_TIMEOUT_MS: '60000',
    QUEUE_WAIT_MS: '60000',
    SLOW_SEARCH_MS: '60000',
    ...settings,
  })
  const secret = await loadSecret(env)
  const storage = createStorages(env)
  const log = createLog('silent')
  const remote = openRemote({ allowedHosts: env.OUTGOING_ALLOWED_HOSTS })
  const layers = testsOfCore() ? attachLayers([]) : layersFor(env)
  const outside = { layers, secret, hashPassword, storage, remote, mail: null }
  const database = { db, dialect, locks, bus, copyOut, connectAlone }
  const made = { settings: env, log, ...database, replicas: null, ...outside }
  registries.__engineRegistry?.delete(held)
  return Object.assign(held, made)
}

let folder: string | undefined
function dataDir(): string {
  if (!folder) {
    folder = `/tmp/engine-test-${process.pid}-${crypto.randomUUID()}`
    process.once('exit', () => rmSync(folder as string, { recursive: true, force: true }))
  }
  return folder
}
