import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { installTestEntity } from '@/lib/testing/entity'
import type { Replicated } from '@/lib/testing/replicated'
import { call } from '@/lib/testing/request'
import { POST as count } from './count/route'
import { GET } from './route'
import { POST as search } from './search/route'
import { params, path, personsOnReplicas, stateOf, untilFresh } from './testing/persons-on-replicas'

const persons = personsOnReplicas()

test('a column that is gone on the replica, too, is looked for on the primary', async ({
  skip,
}) => {
  const there = persons.current()
  if (!there) return skip()
  const { deps } = there
  const before = await there.reads()
  // Changed behind the back of the engine, so that its definition does not say so.
  await deps.db.execute(sql`alter table entities.person rename column name to hidden`)
  const asked = { method: 'POST', path, params, body: { query: [] }, as: 'ADMIN' }
  // Until the search was tried on the replica: where that is late, it is read from the primary alone.
  const failed = async () => {
    const { status } = await call(deps, search, asked)
    return [status, (await there.reads()).retried > before.retried]
  }
  await expect.poll(failed).toEqual([500, true])
  await deps.db.execute(sql`alter table entities.person rename column hidden to name`)
  await expect.poll(async () => (await call(deps, search, asked)).status).toBe(200)
})

test('a statement that the replica cancels is run on the primary', async ({ skip }) => {
  const there = persons.current()
  if (!there) return skip()
  const { deps, replica, reads } = there
  await installTestEntity(deps, {
    entity: { name: 'Word' },
    schema: { properties: [{ name: 'text', type: 'string' }] },
  })
  await deps.db.execute(
    sql`insert into entities.word (text) select repeat(md5(n::text), 8) from generate_series(1, 200000) n`,
  )
  await untilFresh(there)
  const before = await reads()
  const counting = (value: string) =>
    call(deps, count, {
      method: 'POST',
      path: '/api/entities/Word/count',
      params: { entityName: 'Word' },
      body: { query: [{ field: 'text', operator: 'matches', value }] },
      as: 'ADMIN',
    })
  const cancel = `select pg_cancel_backend(pid) from pg_stat_activity
    where query like '%"word"%' and state = 'active' and pid <> pg_backend_pid()`
  const client = new Client({ connectionString: replica.url })
  await client.connect()
  let round = 0
  // On a busy machine the replica may just have been stale.
  const cancelled = async () => {
    let isOver = false
    const counted = counting(`(a.*b.*c.*d.*e.*f.*){3}x${round++}`).finally(() => {
      isOver = true
    })
    while (!isOver && (await client.query(cancel)).rowCount === 0);
    expect((await counted).body.data).toEqual([{ count: 0 }])
    return (await reads()).retried
  }
  await expect.poll(cancelled, { timeout: 60_000 }).toBeGreaterThan(before.retried)
  await client.end()
})

/** Reads until some time after `work`; throws when a request failed. */
async function readDuring({ deps, reads }: Replicated, work: () => Promise<void>) {
  let isOver = false
  const statuses: number[] = []
  const reader = async () => {
    while (!isOver) {
      const filter = `name:ne:${statuses.length}`
      const { status } = await call(deps, GET, {
        path: `${path}?filter=${filter}`,
        params,
        as: 'ADMIN',
      })
      statuses.push(status)
    }
  }
  const readers = Array.from({ length: 4 }, reader)
  // The replica is read when the work begins, also on a machine that is so busy that it was late before.
  const { replica } = await reads()
  await expect.poll(async () => (await reads()).replica).toBeGreaterThan(replica + 20)
  await work()
  const { length } = statuses
  await expect.poll(() => statuses.length).toBeGreaterThan(length + 20)
  isOver = true
  await Promise.all(readers)
  expect(new Set(statuses)).toEqual(new Set([200]))
}

test.each([
  ['killed', 'halt', 'restart'],
  ['frozen', 'freeze', 'thaw'],
] as const)(
  'no request fails when the replica is %s, and it is used again when it is back',
  async (_, end, begin) => {
    const there = persons.current()
    if (!there) return
    const on = there
    const before = await on.reads()
    await readDuring(on, async () => {
      on.replica[end]()
      await expect.poll(() => stateOf(on)).toMatchObject({ status: 'away', lagMs: null })
    })
    const after = await on.reads()
    expect(after.primary).toBeGreaterThan(before.primary)
    if (end === 'freeze') expect(after.retried).toBeGreaterThan(before.retried)
    on.replica[begin]()
    await untilFresh(on)
  },
)
