import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { countRecords } from '@/lib/search/count-records'
import { statementsOf } from '@/lib/testing/count-round-trips'
import { maintainTotals } from './maintain-totals'
import {
  ALL,
  CHECK,
  type Checked,
  change,
  deps,
  install,
  MATCHING,
  pageOf,
  pageTotal,
  randomFrom,
  Versions,
} from './testing/changing-totals'

/** Another process with the same database, which remembers nothing. */
const forgetful = (): Deps => ({ ...deps })

test('each page and total is exact after each of many random changes', async () => {
  await install()
  const random = randomFrom(7)
  const versions = new Versions()
  for (let step = 0; step < 50; step++) {
    const statement = change(random, false)
    const undone = random(4) === 0
    await deps.db
      .transaction(async (tx) => {
        await tx.execute(sql.raw(statement))
        if (undone) throw new Error('undone')
      })
      .catch(() => {})
    if (random(5) === 0) await maintainTotals(deps)
    const checked = one(await rows<Checked>(deps.db, sql.raw(CHECK)))
    versions.check(checked)
    expect(await pageTotal(deps, ALL), statement).toBe(Number(checked.counted))
    expect(await pageTotal(deps, MATCHING), statement).toBe(Number(checked.matching))
    expect(await countRecords(deps, 'Thing', MATCHING), statement).toBe(Number(checked.matching))
    expect(await pageOf(deps, ALL), statement).toEqual(await pageOf(forgetful(), ALL))
  }
  expect(versions.size).toBeGreaterThan(20)
})

test('a page is read once, however often what it counts has changed', async () => {
  await install()
  let total: number | null = null
  const readsAfterInsert = async () => {
    await deps.db.execute(sql`insert into entities.thing (price) values (1), (2)`)
    const texts = await statementsOf(deps, async () => {
      total = await pageTotal(deps, MATCHING)
    })
    return texts.filter((text) => text.includes('"$found"')).length
  }
  // That totals change is learned from the second one.
  await readsAfterInsert()
  await readsAfterInsert()
  for (const expected of [3, 4, 5]) {
    expect(await readsAfterInsert()).toBe(1)
    expect(total).toBe(expected)
  }
})
