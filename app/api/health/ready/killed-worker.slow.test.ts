import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { clusterState } from '@/lib/health/check-readiness'
import { defineTestEntity, defineTestSchema } from '@/lib/testing/define'
import { testsOnCitus } from '@/lib/testing/deps'
import { type OwnCitus, ownCitus } from '@/lib/testing/own-citus'
import { whyNoCitus } from '@/scripts/steps/throwaway-citus.mjs'

const ROUNDS = 4
const RECORDS = 2_000

let own: OwnCitus

const count = async (what = '*') => {
  const counted = sql`select count(${sql.raw(what)})::int as n from entities.item`
  return one(await rows<{ n: number }>(own.db, counted)).n
}
const fill = () =>
  own.db.execute(
    sql`insert into entities.item (id) select n from generate_series(1, ${RECORDS}::int) n`,
  )

/** Kills a worker some time into `work`, which may fail, and brings it back. */
async function killDuring(work: () => Promise<unknown>, afterMs: number): Promise<void> {
  const running = work().catch(() => {})
  await new Promise((resolve) => setTimeout(resolve, afterMs))
  own.kill()
  await running
  await own.recover()
}

const version = (n: number) =>
  defineTestSchema({ db: own.db } as Deps, {
    name: 'Item',
    properties: Array.from({ length: n }, (_, at) => ({ name: `v${at + 1}`, type: 'integer' })),
  })

describe.runIf(testsOnCitus() && whyNoCitus() === null)('a worker that is killed', () => {
  own = ownCitus()
  beforeAll(async () => {
    await defineTestEntity({ db: own.db } as Deps, { name: 'Item', distribution: { by: 'id' } })
    await fill()
  })

  test('during deletions leaves all records or none', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const work = () => own.db.transaction((tx) => tx.execute(sql`delete from entities.item`))
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
          own.db,
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
    const workers = () => clusterState(Object.create(own.db), 5_000)
    own.kill()
    expect(await workers()).toEqual({ workers: 2, unreachable: 1, unresolved: 0 })
    await own.recover()
    expect(await workers()).toEqual({ workers: 2, unreachable: 0, unresolved: 0 })
  })
})
