import { beforeEach, expect, test } from 'vitest'
import { sessionCookie } from '@/lib/auth/session-cookie'
import { startSession } from '@/lib/auth/session-store'
import { encodeSession, newSession } from '@/lib/auth/session-token'
import { recordVersions, users } from '@/lib/db/schema'
import { one } from '@/lib/db/sql'
import { sweepHistory } from '@/lib/history/sweep-history'
import { layersFor } from '@/lib/layers'
import { change, create, define, deps, historyOf, inBatch, restore, told } from './testing/books'

let session: Record<string, string>

beforeEach(async () => {
  await define({ history: false })
  session = await signedIn('ann@example.com')
})

async function signedIn(email: string) {
  const values = { email, roles: ['EDITOR'], status: 'ACTIVATED' as const }
  const user = one(await deps.db.insert(users).values(values).returning())
  const visitor = { strong: false, userAgent: null, address: null }
  const started = await startSession(deps.db, { user, ...visitor })
  const token = await encodeSession(newSession(started), deps.secret)
  const cookie = sessionCookie(token, deps.settings).split(';')[0] ?? ''
  return { cookie, 'sec-fetch-site': 'same-origin' }
}

test.each([
  ['in one statement', { title: 'B' }],
  ['in steps', { title: 'B', undeclared: 1 }],
])('of a person is kept without a history, %s', async (_, body) => {
  await create({ id: 1, title: 'A' })
  expect((await change('1', body, { as: session })).status).toBe(200)
  const found = (await historyOf('1')).body
  expect(found.data).toMatchObject([
    {
      kind: 'update',
      action: 'records.update',
      by: { type: 'user', name: 'ann@example.com' },
      restorable: false,
    },
    { kind: 'earlier', restorable: true },
  ])
  expect(found.meta.kept).toBe(false)
  expect(told(found.data)[0]?.[2]).toMatchObject({ title: ['A', 'B'] })
  expect((await restore('1', 0)).body.data[0].title).toBe('A')
})

test.each([
  ['in one statement', { title: 'B' }],
  ['in steps', { title: 'B', undeclared: 1 }],
])('is not kept without the layer of the history, %s', async (_, body) => {
  deps.layers = layersFor({ DISABLED_LAYERS: ['record-history'] })
  await create({ id: 1, title: 'A' })
  const changed = await change('1', body, { as: session })
  expect([changed.status, changed.body.data[0].title]).toEqual([200, 'B'])
  expect(await deps.db.$count(recordVersions)).toBe(0)
  expect((await historyOf('1')).body.data).toEqual([])
})

test('is kept where fields are called as the statement calls its rows', async () => {
  await define({ history: false }, [
    { name: 't', type: 'integer' },
    { name: 'r', type: 'integer' },
  ])
  await create({ id: 1, title: 'A', t: 1, r: 1 })
  await change('1', { title: 'B', t: 2, r: 2 }, { as: session })
  const { data } = (await historyOf('1')).body
  expect(told(data)[0]?.[2]).toMatchObject({ title: ['A', 'B'], t: [1, 2], r: [1, 2] })
  expect((await restore('1', 0)).body.data[0]).toMatchObject({ title: 'A', t: 1, r: 1 })
})

test('is the last one alone, whatever others did since', async () => {
  await create({ id: 1, title: 'A' })
  for (const title of ['B', 'C', 'C']) await change('1', { title }, { as: session })
  await change('1', { title: 'D' })
  await inBatch('PATCH', { entity: 'Book', set: { price: 1 } })
  const { data } = (await historyOf('1')).body
  expect(told(data)).toEqual([
    ['update', 'records.update', { title: ['B', 'C'] }],
    ['earlier', null, {}],
  ])
  expect(data[0].restorable).toBe(true)
  const restored = (await restore('1', data[0].version)).body.data[0]
  expect([restored.title, restored.price]).toEqual(['C', null])
  expect(await sweepHistory(deps)).toBe(0)
})

test('is not kept of keys, nor of creations', async () => {
  await create({ id: 1, title: 'A' }, { as: session })
  await change('1', { title: 'B' })
  const { status, body } = await historyOf('1')
  expect([status, body.data]).toEqual([200, []])
})
