import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '@/lib/db/postgres'
import { one, rows } from '@/lib/db/rows'
import type { Database, Db } from '@/lib/db/types'
import type { Deps } from '@/lib/deps'
import { clusterState } from '@/lib/health/cluster-state'
import { defineTestEntity, defineTestSchema } from '@/lib/testing/define'
import { testsOnCitus } from '@/lib/testing/deps'
import { startThrowawayCitus, whyNoCitus } from '@/scripts/steps/throwaway-citus.mjs'

const ROUNDS = 4
const RECORDS = 2_000

let cluster: Awaited<ReturnType<typeof startThrowawayCitus>>
let database: Database
let db: Db

const worker = () => cluster.nodes[1] as string
const kill = () => {
  const [pid] = readFileSync(join(worker(), 'postmaster.pid'), 'utf8').split('\n')
  process.kill(Number(pid), 'SIGKILL')
}
/** With the options of its first start; as soon as the processes that were left have noticed. */
const restart = () => {
  const args = ['-u', 'postgres', '--', '/usr/lib/postgresql/15/bin/pg_ctl', '-w', 'restart']
  const options = { stdio: 'ignore', cwd: '/tmp' } as const
  const isUp = () => spawnSync('runuser', [...args, '-D', worker()], options).status === 0
  return expect.poll(isUp).toBe(true)
}
const recover = async () => {
  await restart()
  await db.execute(sql`select recover_prepared_transactions()`)
}
const count = async (what = '*') => {
  const counted = sql`select count(${sql.raw(what)})::int as n from entities.item`
  return one(await rows<{ n: number }>(db, counted)).n
}
const fill = () =>
  db.execute(
    sql`insert into entities.item (id) select n from generate_series(1, ${RECORDS}::int) n`,
  )

/** Kills a worker some time into `work`, which may fail, and brings it back. */
async function killDuring(work: () => Promise<unknown>, afterMs: number): Promise<void> {
  const running = work().catch(() => {})
  await new Promise((resolve) => setTimeout(resolve, afterMs))
  kill()
  await running
  await recover()
}

const version = (n: number) =>
  defineTestSchema({ db } as Deps, {
    name: 'Item',
    properties: Array.from({ length: n }, (_, at) => ({ name: `v${at + 1}`, type: 'integer' })),
  })

describe.runIf(testsOnCitus() && whyNoCitus() === null)('a worker that is killed', () => {
  beforeAll(async () => {
    cluster = await startThrowawayCitus()
    database = await openPostgres({ url: cluster.url, poolSize: 3 })
    db = database.db
    await defineTestEntity({ db } as Deps, { name: 'Item', distribution: { by: 'id' } })
    await fill()
  })
  afterAll(async () => {
    await database?.close()
    cluster?.stop()
  })

  test('during deletions leaves all records or none', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const work = () => db.transaction((tx) => tx.execute(sql`delete from entities.item`))
      await killDuring(work, 4 * round)
      const left = await count()
      expect([0, RECORDS]).toContain(left)
      if (left === 0) await fill()
    }
  })

  test('during changes of its definition leaves the whole change or nothing', async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      await killDuring(() => version(round), 25 * round)
      const { has } = one(
        await rows<{ has: boolean }>(
          db,
          sql`select exists (select from engine.schemas where definition::text like ${`%"v${round}"%`}) as has`,
        ),
      )
      // On each shard, or on none.
      const found = await count(`v${round}`).then(
        () => true,
        () => false,
      )
      expect(found).toBe(has)
      await version(round)
    }
  })

  test('is said by the readiness', async () => {
    const workers = () => clusterState(Object.create(db), 5_000)
    kill()
    expect(await workers()).toEqual({ workers: 2, unreachable: 1, unresolved: 0 })
    await recover()
    expect(await workers()).toEqual({ workers: 2, unreachable: 0, unresolved: 0 })
  })
})
