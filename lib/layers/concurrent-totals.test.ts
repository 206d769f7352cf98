import { type SQL, sql } from 'drizzle-orm'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { testDeps, testsOnPostgres } from '@/lib/testing/deps'
import { secondInstance, sessionUrl } from '@/lib/testing/second-instance'
import { maintainTotals } from './maintain-totals'
import { compactTotal } from './table-version'
import {
  ALL,
  CHECK,
  type Checked,
  change,
  deps,
  install,
  MATCHING,
  pageTotal,
  type Random,
  randomFrom,
  Versions,
} from './testing/changing-totals'

/** Conflicts of isolation, deadlocks, waits for a lock, and keys that another took. */
const CONFLICTS = new Set(['40001', '40P01', '55P03', '23505'])

const LEVELS = ['read committed', 'repeatable read', 'serializable'] as const

/** A transaction with savepoints, of which some are rolled back; returns whether it was committed. */
async function write(client: Client, random: Random): Promise<boolean> {
  await client.query(`begin isolation level ${LEVELS[random(3)]}`)
  try {
    for (let left = 1 + random(4); left > 0; left--) {
      const keeps = random(4) > 0
      if (!keeps) await client.query('savepoint s')
      await client.query(change(random, true))
      if (!keeps) await client.query('rollback to savepoint s')
    }
    const keeps = random(5) > 0
    await client.query(keeps ? 'commit' : 'rollback')
    return keeps
  } catch (error) {
    if (!CONFLICTS.has((error as { code: string }).code)) throw error
    await client.query('rollback')
    return false
  }
}

describe.skipIf(!testsOnPostgres())('on a server', () => {
  let other: Deps
  let url: string
  const clients: Client[] = []

  beforeAll(async () => {
    await testDeps()
    url = await sessionUrl(deps)
    const second = await secondInstance(deps)
    other = second.other
    return second.close
  })
  afterAll(() => Promise.all(clients.map((client) => client.end())))

  async function connect(): Promise<Client> {
    const client = new Client(url)
    client.on('error', () => {})
    await client.connect()
    clients.push(client)
    return client
  }

  test('every snapshot has its exact total while many write, and no version has two states', async () => {
    await install()
    const versions = new Versions()
    let writing = true
    const readers = [1, 2].map(async () => {
      const client = await connect()
      while (writing) versions.check((await client.query<Checked>(CHECK)).rows[0] as Checked)
    })
    const keeper = (async () => {
      const oid = sql`'entities.thing'::regclass::oid`
      for (let round = 0; writing; round++) {
        await Promise.all([compactTotal(deps.db, oid), compactTotal(other.db, oid)])
        if (round % 5 === 0) await maintainTotals(round % 2 ? deps : other)
        if (round % 7 === 0) await deps.db.execute(sql`update engine.entity_totals set base = null`)
      }
    })()
    let committed = 0
    const writers = [1, 2, 3, 4].map(async (seed) => {
      const client = await connect()
      await client.query('set lock_timeout = 500')
      const random = randomFrom(seed)
      for (let left = 25; left > 0; left--) if (await write(client, random)) committed++
    })
    await Promise.all(writers).finally(() => {
      writing = false
    })
    await Promise.all([keeper, ...readers])
    expect(committed).toBeGreaterThan(40)
    expect(versions.size).toBeGreaterThan(20)
    await maintainTotals(deps)
    const last = one(await rows<Checked>(deps.db, sql.raw(CHECK)))
    expect(last.total).toBe(last.counted)
  })

  test('no instance returns a total from before a committed write, whichever made it', async () => {
    await install()
    const client = await connect()
    let [all, matching] = [0, 0]
    const random = randomFrom(3)
    for (let id = 0; id < 20; id++) {
      const isMatch = random(2) === 0
      const statement = `insert into entities.thing (id, price) values (${id}, ${isMatch ? 1 : 2})`
      const by = [deps.db, other.db, client][random(3)]
      if (by === client) await client.query(statement)
      else await (by as Deps['db']).execute(sql.raw(statement))
      all++
      if (isMatch) matching++
      const totals = await Promise.all(
        [deps, other].flatMap((on) => [pageTotal(on, ALL), pageTotal(on, MATCHING)]),
      )
      expect(totals).toEqual([all, matching, all, matching])
    }
  })

  test('totals do not lag behind while several processes write and read at the same time', async () => {
    await install()
    const committed = { count: 0 }
    let writing = true
    const readers = [deps, other].map(async (on) => {
      while (writing) {
        const before = committed.count
        const total = (await pageTotal(on, MATCHING)) ?? -1
        expect(total).toBeGreaterThanOrEqual(before)
      }
    })
    const writers = [1, 2, 3].map(async (part) => {
      const client = await connect()
      for (let id = 0; id < 60; id++) {
        await client.query(`insert into entities.thing (id, price) values (${part * 1000 + id}, 1)`)
        committed.count++
      }
    })
    await Promise.all(writers).finally(() => {
      writing = false
    })
    await Promise.all(readers)
    const totals = [deps, other].map((on) => pageTotal(on, MATCHING))
    expect(await Promise.all(totals)).toEqual([committed.count, committed.count])
    expect(committed.count).toBe(180)
  })

  test('a change that is committed long after later ones were compacted is counted', async () => {
    await install()
    const slow = await connect()
    await slow.query(`begin; insert into entities.thing (id, price) values (1, 1)`)
    const oid = sql`'entities.thing'::regclass::oid`
    for (let id = 2; id < 20; id++) {
      await deps.db.execute(sql.raw(`insert into entities.thing (id, price) values (${id}, 1)`))
      await compactTotal(deps.db, oid)
    }
    expect(await pageTotal(deps, ALL)).toBe(18)
    expect(await pageTotal(other, MATCHING)).toBe(18)
    await slow.query('commit')
    expect(await pageTotal(deps, ALL)).toBe(19)
    expect(await pageTotal(other, MATCHING)).toBe(19)
    for (let round = 0; round < 3; round++) await compactTotal(deps.db, oid)
    expect(await pageTotal(deps, ALL)).toBe(19)
  })

  test('readers pass over compacted changes that an old snapshot keeps in the index', async () => {
    await install()
    // What earlier files of the run have left in the database is read as well.
    await deps.db.execute(sql`vacuum full engine.entity_totals, engine.entity_total_changes`)
    const old = await connect()
    await old.query('begin isolation level repeatable read; select 1 from entities.thing')
    const oid = sql`'entities.thing'::regclass::oid`
    for (let round = 0; round < 5; round++) {
      await deps.db.execute(
        sql.raw(
          `do $$ begin for i in 1..400 loop update entities.thing set price = 3; end loop; end $$`,
        ),
      )
      await compactTotal(deps.db, oid)
    }
    // Transactions that have begun on the server meanwhile, for other tests too, must end first.
    await expect.poll(() => blocksRead(oid)).toBeLessThan(12)
    await old.query('commit')
  })

  async function blocksRead(oid: SQL): Promise<number | undefined> {
    await compactTotal(deps.db, oid)
    type Plan = { 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number } }] }
    const [explained] = await rows<Plan>(
      deps.db,
      sql`explain (analyze, buffers, format json) select total from engine.current_totals where relation = ${oid}`,
    )
    return explained?.['QUERY PLAN'][0].Plan['Shared Hit Blocks']
  }
})
