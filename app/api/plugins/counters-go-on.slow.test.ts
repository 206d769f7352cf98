import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runBackupCommand } from '@/lib/backup/command'
import { openPglite } from '@/lib/db/pglite'
import { openPostgres } from '@/lib/db/postgres'
import type { Deps } from '@/lib/deps'
import { parseEnv } from '@/lib/env'
import { addressesOf } from '@/lib/testing/database'
import { testDeps, testsOnPostgres } from '@/lib/testing/deps'
import { makeEmptyDatabase } from '@/lib/testing/make-database'
import { onServer } from '@/lib/testing/on-server'
import { type OwnPostgres, startOwnPostgres } from '@/lib/testing/own-postgres'
import { COUNTED_TYPES, counted, requireCounting } from './testing/counted'
import { install } from './testing/plugin-api'

const folder = await mkdtemp(join(tmpdir(), 'engine-counters-'))
const ends: (() => unknown)[] = [() => rm(folder, { recursive: true })]
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

type Settings = Record<string, string>

/** Settings of an instance with an empty database of its own. */
async function instance(name: string): Promise<Settings> {
  const settings = {
    DATA_DIR: join(folder, name),
    NEXTAUTH_SECRET: 'a secret for tests, 32 characters',
  }
  if (!testsOnPostgres()) return settings
  const made = await makeEmptyDatabase(addressesOf('postgres').url)
  ends.push(made.drop)
  return { ...settings, DATABASE_URL: addressesOf(made.name).url }
}

async function onInstance(
  { DATABASE_URL: url, DATA_DIR: dataDir = '' }: Settings,
  work: (deps: Deps) => Promise<void>,
): Promise<void> {
  const opened = url ? await openPostgres({ url, poolSize: 4 }) : await openPglite(dataDir)
  try {
    await work(Object.assign(await testDeps(), opened))
  } finally {
    await opened.close()
  }
}

describe.each(COUNTED_TYPES)('the counter of a key (%s)', (type) => {
  test('goes on after a backup in another database', async () => {
    const [from, to] = [await instance(`from-${type}`), await instance(`to-${type}`)]
    await onInstance(from, async (deps) => {
      expect((await install(deps, counted(type))).body.data.failedCount).toBe(0)
    })
    const file = join(folder, `${type}.tar.gz`)
    await runBackupCommand(parseEnv(from), ['backup', file], () => {})
    await runBackupCommand(parseEnv(to), ['restore', file], () => {})
    await onInstance(to, (deps) => requireCounting(deps))
  })
})

describe('the counter of a key', () => {
  let primary: OwnPostgres | null = null
  beforeAll(async () => {
    primary = await startOwnPostgres()
    if (primary) ends.push(primary.stop)
  }, 60_000)

  test.each(COUNTED_TYPES)('goes on after the promotion of a replica (%s)', async (type) => {
    if (!primary) return
    const settings = { DATA_DIR: folder, DATABASE_URL: primary.url }
    await onInstance(settings, async (deps) => {
      await install(deps, counted(type, { name: type }))
      await requireCounting(deps, type)
    })
    const replica = await primary.replicate()
    ends.push(replica.stop)
    await onServer(replica.url, 'select pg_promote()')
    await onInstance({ ...settings, DATABASE_URL: replica.url }, (deps) =>
      requireCounting(deps, type),
    )
  })
})
