import { sql } from 'drizzle-orm'
import { beforeEach, expect, test, vi } from 'vitest'
import { createPolicy, keyOf } from '@/app/api/policies/testing/policies-api'
import { apiKeys } from '@/lib/db/schema'
import {
  briefly,
  change,
  changesAfter,
  changesOf,
  create,
  cursorOfNow,
  deps,
  remove,
} from './testing/followed'
import { watch } from './testing/streams'

/** Clerks read the records of Rome, without their price. */
const ROME = {
  ...{ name: 'Rome', principals: ['Clerk'], entities: ['Book'], actions: ['read'] },
  where: [{ field: 'branch', operator: 'eq', value: 'Rome' }],
  fields: { except: ['price'] },
}

let clerk: Record<string, string>

beforeEach(async () => {
  await createPolicy(ROME)
  clerk = await keyOf(['Clerk'])
})

test('a record enters what a caller sees, and leaves it; hidden fields are in none of it', async () => {
  const since = await cursorOfNow()
  await create({ id: 1, title: 'a', price: 41, branch: 'Oslo' })
  await change('1', { branch: 'Rome' })
  await change('1', { price: 42 })
  await change('1', { title: 'b', price: 43 })
  await change('1', { branch: 'Oslo', title: 'hidden' })
  await change('1', { title: 'c' })
  await remove('1')
  const found = await changesAfter(since, '', clerk)
  expect(briefly(found)).toEqual(['entered 1', 'updated 1', 'left 1'])
  expect(found[1]?.fields).toEqual(['title'])
  const states = found.flatMap(({ before, after, fields }) => [before, after, fields])
  expect(JSON.stringify(states)).not.toMatch(/price|4[123]|hidden|Oslo/)
})

test('a condition of the request is a part of what the caller sees', async () => {
  const since = await cursorOfNow()
  await create({ id: 1, price: 1, branch: 'Rome' })
  await change('1', { price: 9 })
  await change('1', { title: 'x' })
  await change('1', { price: 2 })
  const found = await changesAfter(since, 'filter=price:gt:5')
  expect(briefly(found)).toEqual(['entered 1', 'updated 1', 'left 1'])
  expect((await changesOf(`since=${since}&filter=price:gt:5`, clerk)).status).toBe(400)
  const { status, body } = await changesOf(`since=${since}&filter=prize:gt:5`)
  expect([status, body.validations[0].error]).toEqual([400, expect.stringContaining('price')])
  expect(briefly(await changesAfter(since, 'filter=branch:eq:Oslo', clerk))).toEqual([])
})

test('of many records, a caller who sees some is told no number', async () => {
  const since = await cursorOfNow()
  await deps.db.execute(
    sql`insert into entities.book (id, branch) select g, case when g = 7 then 'Rome' else 'Oslo' end from generate_series(1, 150) g`,
  )
  const [many] = await changesAfter(since, '', clerk)
  expect([many?.action, many?.counts]).toEqual(['many', null])
  expect(briefly(await changesAfter(since, 'many=records', clerk))).toEqual(['created 7'])
})

test('a stream has each change as it comes, goes on after one, and ends with the key', async () => {
  const stream = await watch(clerk)
  const first = await stream.read()
  expect(first).toMatchObject({ event: 'cursor' })
  await create({ id: 1, title: 'a', branch: 'Rome' })
  await create({ id: 2, title: 'a', branch: 'Oslo' })
  await create({ id: 3, title: 'a', branch: 'Rome' })
  const created = await stream.read()
  expect(created).toMatchObject({ event: 'change', data: { action: 'created', key: '1' } })
  expect(await stream.read()).toMatchObject({ data: { key: '3' } })

  const again = await watch(clerk, { 'last-event-id': created?.id ?? '' })
  expect(await again.read()).toMatchObject({ data: { key: '3' } })
  await again.leave()

  await deps.db.delete(apiKeys)
  await expect.poll(async () => (await changesOf('', clerk)).status).toBe(401)
  await deps.db.execute(sql`insert into entities.book (id, branch) values (4, 'Rome')`)
  expect(await stream.read()).toBeNull()
})

test('a stream ends with the key, however much there was to say before', async () => {
  const since = await cursorOfNow()
  for (const id of [1, 2, 3]) await create({ id, branch: 'Rome' })
  const stream = await watch(clerk, { 'last-event-id': since })
  expect(await stream.read()).toMatchObject({ data: { key: '1' } })
  await deps.db.delete(apiKeys)
  await expect.poll(async () => (await changesOf('', clerk)).status).toBe(401)
  const later = performance.now() + 5_000
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => later)
  expect(await stream.read()).toBeNull()
  clock.mockRestore()
})
