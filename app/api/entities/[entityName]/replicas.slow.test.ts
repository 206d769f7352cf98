import { expect, test } from 'vitest'
import { GET as readMetrics } from '@/app/api/metrics/route'
import { Browser } from '@/lib/testing/browser'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { ANN, activated, PASSWORD } from '../../users/testing/users'
import { GET, POST } from './route'
import { POST as search } from './search/route'
import {
  all,
  create,
  found,
  PERSON,
  params,
  path,
  personsOnReplicas,
  stateOf,
  untilFresh,
} from './testing/persons-on-replicas'

const persons = personsOnReplicas()

test('reads use a replica, which shows what the caller wrote before', async ({ skip }) => {
  const there = persons.current()
  if (!there) return skip()
  const before = await there.reads()
  for (let n = 1; n <= 10; n++) {
    const written = await create(there, 'Ada')
    expect(await found(there, 'Ada', { 'X-Engine-Consistency': written })).toEqual(all(n))
  }
  const after = await there.reads()
  expect(after.replica + after.primary - before.replica - before.primary).toBe(50)
  expect(after.replica - before.replica).toBeGreaterThan(10)
})

test('while nothing is replayed, who wrote reads from the primary, others what is not too old', async ({
  skip,
}) => {
  const there = persons.current()
  if (!there) return skip()
  await there.pause()
  const written = await create(there, 'Grace')
  expect(await found(there, 'Grace')).toEqual(all(0))
  expect(await found(there, 'Grace', { 'X-Engine-Consistency': written })).toEqual(all(1))
  await expect.poll(() => found(there, 'Grace'), { timeout: 20_000 }).toEqual(all(1))
  expect(await stateOf(there)).toEqual({ status: 'stale', lagMs: expect.any(Number) })
  const scraped = { path: '/api/metrics', as: 'ADMIN' }
  const { text } = await call(there.deps, readMetrics, scraped)
  expect(text).toMatch(/engine_replicas\{status="stale"\} 1\n/)
  expect(text).toMatch(/engine_replica_lag_seconds\{replica="127.0.0.1:\d+\/postgres"\} [1-9]/)
  await there.resume()
  await untilFresh(there)
  expect(await stateOf(there)).toMatchObject({ status: 'fresh' })
  expect(await found(there, 'Grace')).toEqual(all(1))
})

test('a browser sees what it wrote, whichever way it reads', async ({ skip }) => {
  const there = persons.current()
  if (!there) return skip()
  await activated()
  const [browser, other] = [new Browser(there.deps), new Browser(there.deps)]
  for (const each of [browser, other]) await each.signIn(ANN.email, PASSWORD)
  await untilFresh(there)
  await there.pause()
  const body = { name: 'Joan' }
  expect((await browser.call(POST, { method: 'POST', path, params, body })).status).toBe(201)
  const listed = { path: `${path}?filter=name:eq:Joan`, params }
  expect((await browser.call(GET, listed)).body.pagination.total).toBe(1)
  expect((await other.call(GET, listed)).body.pagination.total).toBe(0)
  const headers = { 'X-Engine-Consistency': 'x' }
  const { status, body: refusal } = await other.call(GET, { ...listed, headers })
  expect([status, refusal.error]).toEqual([400, expect.stringMatching('X-Engine-Consistency')])
  await there.resume()
})

test('a definition that a replica has not yet is read from the primary', async ({ skip }) => {
  const there = persons.current()
  if (!there) return skip()
  const { deps } = there
  await there.pause()
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
  await there.resume()
  await untilFresh(there)
  expect((await call(deps, search, asked)).body.data).toHaveLength(1)
})
