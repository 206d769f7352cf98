import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { receiver } from '@/app/api/webhooks/testing/receiver'
import { allow, change, made, read, startSending } from '@/app/api/webhooks/testing/webhooks-api'
import { entities } from '@/lib/db/schema'
import {
  briefly,
  changesAfter,
  changesOf,
  create,
  cursorOfNow,
  define,
  deps,
  PROPERTIES,
} from './testing/followed'

test('who follows from before changes were not kept for a time has to begin again', async () => {
  const since = await cursorOfNow()
  await create({ id: 1 })
  await define({ events: false })
  await deps.db.execute(sql`insert into entities.book (id) values (2)`)
  await define({ events: true })
  const again = await cursorOfNow()
  await create({ id: 3 })
  const { status, body } = await changesOf(`since=${since}`)
  expect([status, briefly(body.data)]).toEqual([200, ['created 1']])
  const refused = await changesOf(`since=${body.meta.cursor}`)
  expect([refused.status, refused.body.error]).toEqual([
    410,
    expect.stringContaining('were not kept for a time'),
  ])
  expect(briefly(await changesAfter(again))).toEqual(['created 3'])
})

test('so has who follows an entity that is created again', async () => {
  await create({ id: 1 })
  const since = await cursorOfNow()
  await deps.db.execute(sql`drop table entities.book`)
  await deps.db.delete(entities)
  await define()
  await create({ id: 2 })
  expect((await changesOf(`since=${since}`)).status).toBe(410)
  expect(briefly(await changesAfter(await cursorOfNow()))).toEqual([])
})

test('an upgrade that goes on keeping changes lets followers go on', async () => {
  const since = await cursorOfNow()
  await define({ history: true })
  await define({ name: 'Book', history: false })
  await create({ id: 1 })
  expect(briefly(await changesAfter(since))).toEqual(['created 1'])
})

const [title, price, branch, notes] = PROPERTIES
const name = { ...title, name: 'name', renamedFrom: ['title'] }
const initial = { name: 'initial', type: 'string', computed: 'upper(title)' }

describe('who follows begins again where records look different though nobody changed them', () => {
  test.each([
    ['a field has another name', [name, price, branch, notes]],
    ['a field is no longer served', [title, branch, notes]],
    ['a field has another type', [title, { ...price, type: 'double' }, branch, notes]],
    ['a field is computed', [...PROPERTIES, initial]],
  ])('%s', async (_, properties) => {
    await create({ id: 1, title: 'A', price: 1 })
    const since = await cursorOfNow()
    await define({}, properties)
    await expect
      .poll(async () => (await changesOf(`since=${since}`)).body.error)
      .toContain('look different')
    expect((await changesOf(`since=${since}`)).status).toBe(410)
    const again = await cursorOfNow()
    await create({ id: 2 })
    expect(briefly(await changesAfter(again))).toEqual(['created 2'])
  })

  test('so it does where a removed field comes back with its values', async () => {
    await define({}, [title])
    const since = await cursorOfNow()
    await define()
    await expect.poll(async () => (await changesOf(`since=${since}`)).status).toBe(410)
  })

  test('it goes on where a field is new', async () => {
    const since = await cursorOfNow()
    await define({}, [...PROPERTIES, { name: 'pages', type: 'integer' }])
    await create({ id: 1 })
    expect(briefly(await changesAfter(since))).toEqual(['created 1'])
  })

  test('a webhook goes on, and has missed nothing', async () => {
    const to = await receiver()
    allow([to.host])
    const { id } = await made(to.url, { enabled: false })
    await create({ id: 1, title: 'A' })
    await define({}, [name, price, branch, notes])
    await create({ id: 2 })
    startSending()
    await change(id, { enabled: true })
    await expect.poll(() => to.keys().sort()).toEqual(['record.created 1', 'record.created 2'])
    expect((await read(id)).missedAt).toBeNull()
  })
})

test('a webhook says that it missed changes which were not kept, and sends those before and after', async () => {
  const to = await receiver()
  allow([to.host])
  const { id } = await made(to.url, { enabled: false })
  await create({ id: 1 })
  await define({ events: false })
  await deps.db.execute(sql`insert into entities.book (id) values (2)`)
  await define({ events: true })
  await create({ id: 3 })
  startSending()
  await change(id, { enabled: true })
  await expect.poll(() => to.keys().sort()).toEqual(['record.created 1', 'record.created 3'])
  expect((await read(id)).missedAt).not.toBeNull()
})
