import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { GET as readReadiness } from '@/app/api/health/ready/route'
import { Browser } from '@/lib/testing/browser'
import { installTestEntity } from '@/lib/testing/entity'
import { type Replicated, startReplicated } from '@/lib/testing/replicated'
import { call } from '@/lib/testing/request'
import { ANN, activated, PASSWORD } from '../../users/testing/users'
import { POST as count } from './count/route'
import { POST as exportRecords } from './export/route'
import { GET, POST } from './route'
import { POST as search } from './search/route'

/** Longer than a busy machine takes for some requests. */
const MAX_LAG_MS = 4_000
let there: Replicated | null
beforeAll(async () => {
  there = await startReplicated({ maxLagMs: MAX_LAG_MS })
  if (there) await installTestEntity(there.deps, PERSON)
}, 60_000)

const PERSON = {
  entity: { name: 'Person' },
  schema: { properties: [{ name: 'name', type: 'string' }] },
}

const params = { entityName: 'Person' }
const path = '/api/entities/Person'
type Headers = Record<string, string>

/** Creates a record and returns the header by which reads see it. */
async function create({ deps }: Replicated, name: string): Promise<string> {
  const body = { name }
  const { status, headers } = await call(deps, POST, {
    method: 'POST',
    path,
    params,
    body,
    as: 'ADMIN',
  })
  expect(status).toBe(201)
  return headers.get('x-engine-consistency') ?? ''
}

/** The number of persons of this name by each way to read. */
async function found({ deps }: Replicated, name: string, headers: Headers = {}) {
  const query = [{ field: 'name', operator: 'eq', value: name }]
  const asked = { method: 'POST', path, params, headers, as: 'ADMIN' }
  const grouped = { query, groupBy: { aggregate: [{ function: 'COUNT', alias: 'n' }] } }
  const [page, listed, counted, group, file] = await Promise.all([
    call(deps, search, { ...asked, body: { query } }),
    call(deps, GET, { ...asked, method: 'GET', path: `${path}?filter=name:eq:${name}` }),
    call(deps, count, { ...asked, body: { query } }),
    call(deps, search, { ...asked, body: grouped }),
    call(deps, exportRecords, { ...asked, path: `${path}/export?format=json`, body: { query } }),
  ])
  return [
    page.body.pagination.total,
    page.body.data.length,
    listed.body.pagination.total,
    counted.body.data[0].count,
    group.body.data[0].n,
    JSON.parse(file.text).length,
  ]
}
const all = (n: number) => Array(6).fill(n)

const stateOf = async ({ deps }: Replicated) =>
  (await call(deps, readReadiness, { path: '/api/health/ready' })).body.data[0].replicas[0]

/** Resolves when the next reads use the replica. */
const untilFresh = (on: Replicated) =>
  expect
    .poll(
      async () => {
        const before = await on.reads()
        await found(on, 'nobody')
        return (await on.reads()).replica - before.replica
      },
      { timeout: 10_000 },
    )
    .toBe(5)

beforeEach(async () => {
  if (there) await untilFresh(there)
})

test('reads use a replica, which shows what the caller wrote before', async ({ skip }) => {
  if (!there) return skip()
  const before = await there.reads()
  for (let n = 1; n <= 10; n++) {
    const written = await create(there, 'Ada')
    expect(await found(there, 'Ada', { 'X-Engine-Consistency': written })).toEqual(all(n))
  }
  const after = await there.reads()
  expect(after.replica + after.primary - before.replica - before.primary).toBe(50)
  expect(after.replica - before.replica).toBeGreaterThan(25)
})

test('while nothing is replayed, who wrote reads from the primary, others what is not too old', async ({
  skip,
}) => {
  if (!there) return skip()
  const [server] = there.servers
  if (!server) throw new Error('There is no replica')
  await there.pause(server)
  const written = await create(there, 'Grace')
  expect(await found(there, 'Grace')).toEqual(all(0))
  expect(await found(there, 'Grace', { 'X-Engine-Consistency': written })).toEqual(all(1))
  await expect.poll(() => found(there as Replicated, 'Grace'), { timeout: 20_000 }).toEqual(all(1))
  expect(await stateOf(there)).toEqual({ status: 'stale', lagMs: expect.any(Number) })
  await there.resume(server)
  await untilFresh(there)
  expect(await stateOf(there)).toMatchObject({ status: 'fresh' })
  expect(await found(there, 'Grace')).toEqual(all(1))
})

test('a browser sees what it wrote, whichever way it reads', async ({ skip }) => {
  if (!there) return skip()
  const [server] = there.servers
  if (!server) throw new Error('There is no replica')
  await activated()
  const [browser, other] = [new Browser(there.deps), new Browser(there.deps)]
  for (const each of [browser, other]) await each.signIn(ANN.email, PASSWORD)
  await untilFresh(there)
  await there.pause(server)
  const body = { name: 'Joan' }
  expect((await browser.call(POST, { method: 'POST', path, params, body })).status).toBe(201)
  const listed = { path: `${path}?filter=name:eq:Joan`, params }
  expect((await browser.call(GET, listed)).body.pagination.total).toBe(1)
  expect((await other.call(GET, listed)).body.pagination.total).toBe(0)
  const headers = { 'X-Engine-Consistency': 'x' }
  const { status, body: refusal } = await other.call(GET, { ...listed, headers })
  expect([status, refusal.error]).toEqual([400, expect.stringMatching('X-Engine-Consistency')])
  await there.resume(server)
})

test('a definition that a replica has not yet is read from the primary', async ({ skip }) => {
  if (!there) return skip()
  const [server] = there.servers
  if (!server) throw new Error('There is no replica')
  const { deps } = there
  await there.pause(server)
  const properties = [...PERSON.schema.properties, { name: 'born', type: 'integer' }]
  await installTestEntity(deps, { ...PERSON, schema: { properties } }, [
    { name: 'Mary', born: 1780 },
  ])
  const before = await there.reads()
  const body = { query: [{ field: 'born', operator: 'lt', value: 1800 }] }
  const asked = { method: 'POST', path, params, body, as: 'ADMIN' }
  const { body: page } = await call(deps, search, asked)
  expect(page.data).toMatchObject([{ name: 'Mary', born: 1780 }])
  expect(await found(there, 'Mary')).toEqual(all(1))
  const after = await there.reads()
  expect(after).toEqual({ ...before, primary: before.primary + 6 })
  await there.resume(server)
  await untilFresh(there)
  expect((await call(deps, search, asked)).body.data).toHaveLength(1)
})

test('a column that is gone on the replica, too, is looked for on the primary', async ({
  skip,
}) => {
  if (!there) return skip()
  const { deps } = there
  const before = await there.reads()
  // Changed behind the back of the engine, so that its definition does not say so.
  await deps.db.execute(sql`alter table entities.person rename column name to hidden`)
  const asked = { method: 'POST', path, params, body: { query: [] }, as: 'ADMIN' }
  await expect.poll(async () => (await call(deps, search, asked)).status).toBe(500)
  await deps.db.execute(sql`alter table entities.person rename column hidden to name`)
  await expect.poll(async () => (await call(deps, search, asked)).status).toBe(200)
  expect((await there.reads()).retried).toBeGreaterThan(before.retried)
})

test('a statement that the replica cancels is run on the primary', async ({ skip }) => {
  if (!there) return skip()
  const { deps, servers, reads } = there
  await installTestEntity(deps, {
    entity: { name: 'Word' },
    schema: { properties: [{ name: 'text', type: 'string' }] },
  })
  await deps.db.execute(
    sql`insert into entities.word (text) select repeat(md5(n::text), 8) from generate_series(1, 200000) n`,
  )
  await untilFresh(there)
  const before = await reads()
  const value = '(a.*b.*c.*d.*e.*f.*){3}xyz'
  const condition = { field: 'text', operator: 'matches', value }
  const counting = call(deps, count, {
    method: 'POST',
    path: '/api/entities/Word/count',
    params: { entityName: 'Word' },
    body: { query: [condition] },
    as: 'ADMIN',
  })
  const cancel = `select pg_cancel_backend(pid) from pg_stat_activity
    where query like '%"word"%' and state = 'active' and pid <> pg_backend_pid()`
  const client = new Client({ connectionString: servers[0]?.url })
  await client.connect()
  const cancelled = async () => (await client.query(cancel)).rowCount
  await expect.poll(cancelled, { interval: 5, timeout: 10_000 }).toBe(1)
  await client.end()
  expect((await counting).body.data).toEqual([{ count: 0 }])
  expect((await reads()).retried).toBe(before.retried + 1)
})

test('no request fails when the replica is killed, and it is used again when it is back', async ({
  skip,
}) => {
  if (!there) return skip()
  const on = there
  const [server] = on.servers
  let isOver = false
  const statuses: number[] = []
  const reader = async () => {
    while (!isOver) {
      const { status } = await call(on.deps, GET, {
        path: `${path}?filter=name:ne:${statuses.length}`,
        params,
        as: 'ADMIN',
      })
      statuses.push(status)
    }
  }
  const readers = Array.from({ length: 4 }, reader)
  await expect.poll(() => statuses.length).toBeGreaterThan(20)
  const before = await on.reads()
  server?.halt()
  const lost = statuses.length
  await expect.poll(() => stateOf(on)).toMatchObject({ status: 'away', lagMs: null })
  await expect.poll(() => statuses.length).toBeGreaterThan(lost + 20)
  isOver = true
  await Promise.all(readers)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect((await on.reads()).primary).toBeGreaterThan(before.primary)
  server?.restart()
  await untilFresh(on)
})
