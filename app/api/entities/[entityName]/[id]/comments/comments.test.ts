import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditLog, recordComments, users } from '@/lib/db/schema'
import { rows } from '@/lib/db/sql'
import { testsOnCitus } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { testKey } from '@/lib/testing/request'
import {
  change,
  deps,
  type Headers,
  list,
  person,
  remove,
  storedComments,
  textsOf,
  write,
  written,
} from './testing/remarks'

let ann: Headers
let bob: Headers

beforeEach(async () => {
  await installTestEntity(deps, { entity: { name: 'Order' } }, [{ id: 1 }, { id: 2 }])
  ann = await person('ann@example.com')
  bob = await person('bob@example.com', ['VIEWER'])
})

describe('comments on a record', () => {
  test('are those of all who read it, oldest first', async () => {
    const made = await write(ann, 'Has the customer paid?')
    expect(made.status).toBe(201)
    expect(made.body.data).toEqual([
      {
        id: expect.any(String),
        text: 'Has the customer paid?',
        author: { type: 'user', name: 'ann@example.com' },
        mine: true,
        createdAt: expect.any(String),
        editedAt: null,
      },
    ])
    await write(bob, 'Yes\n<b>yesterday</b>')
    await write(bob, 'Of another record', { id: '2' })
    const { body } = await list(bob)
    expect(body.data).toMatchObject([
      { ...made.body.data[0], mine: false },
      { text: 'Yes\n<b>yesterday</b>', mine: true },
    ])
    expect(body.pagination).toMatchObject({ total: 2, current: 0 })
    const second = await list(ann, { query: 'size=1&page=1' })
    expect(second.body.data).toMatchObject([{ text: 'Yes\n<b>yesterday</b>' }])
    expect(second.body.pagination).toMatchObject({ total: 2, pages: 2, last: true })
  })

  test('are changed by their author, and deleted by administrators too', async () => {
    const id = await written(ann, 'Paid?')
    expect((await change(bob, id, 'No')).status).toBe(403)
    expect((await remove(bob, id)).status).toBe(403)
    const changed = await change(ann, id, 'Paid')
    expect(changed.body.data).toMatchObject([{ text: 'Paid', editedAt: expect.any(String) }])
    const admin = await person('root@example.com', ['ADMIN'])
    expect((await change(admin, id, 'Unpaid')).status).toBe(403)
    expect((await remove(admin, id)).body.data).toEqual([])
    expect(await textsOf(ann)).toEqual([])
    expect((await remove(admin, id)).status).toBe(404)
    expect((await change(ann, id, 'Paid')).status).toBe(404)
  })

  test('belong to one record', async () => {
    const id = await written(ann, 'One')
    expect((await change(ann, id, 'Two', { id: '2' })).status).toBe(404)
    expect((await remove(ann, id, { id: '2' })).status).toBe(404)
    expect(await textsOf(ann)).toEqual(['One'])
  })

  test('are those of a key that writes them', async () => {
    const key = { authorization: `Bearer ${await testKey(deps, ['EDITOR'])}` }
    const other = { authorization: `Bearer ${await testKey(deps, ['EDITOR'])}` }
    const { body } = await write(key, 'From the till')
    const [{ id, author, mine }] = body.data
    expect([author, mine]).toEqual([{ type: 'api_key', name: 'test' }, true])
    expect((await change(other, id, 'x')).status).toBe(403)
    expect((await change(key, id, 'From till 2')).status).toBe(200)
    const scoped = { authorization: `Bearer ${await testKey(deps, ['EDITOR'], ['Order:read'])}` }
    expect((await write(scoped, 'Read is enough')).status).toBe(201)
    const without = { authorization: `Bearer ${await testKey(deps, ['EDITOR'], ['Order:write'])}` }
    expect((await write(without, 'Write is not')).status).toBe(403)
  })

  test('keep the name of an author whose account is erased', async () => {
    const id = await written(ann, 'Mine')
    await deps.db.delete(users).where(eq(users.email, 'ann@example.com'))
    expect((await list(bob)).body.data).toMatchObject([
      { id, author: { type: 'user', name: 'ann@example.com' }, mine: false },
    ])
    expect(await deps.db.select().from(recordComments)).toMatchObject([{ authorId: null }])
    const again = await person('ann@example.com')
    expect((await change(again, id, 'Mine again')).status).toBe(403)
  })

  test('are in the audit log without what they say', async () => {
    const id = await written(ann, 'A secret of mine')
    await change(ann, id, 'Another secret')
    await remove(ann, id)
    const entries = await deps.db.select().from(auditLog).where(eq(auditLog.objectId, id))
    expect(entries.map(({ action }) => action)).toEqual([
      'comments.create',
      'comments.update',
      'comments.delete',
    ])
    expect(entries[0]?.details).toEqual({ entity: 'Order', record: '1', author: 'ann@example.com' })
    expect(JSON.stringify(entries)).not.toContain('secret')
  })

  test.each([
    ['empty', ''],
    ['blank', ' \n'],
    ['too long', 'x'.repeat(5001)],
    ['of what cannot be stored', 'a\u0000b'],
  ])('are refused when they are %s', async (_, text) => {
    const { status, body } = await write(ann, text)
    expect(status).toBe(400)
    expect(body.validations).toMatchObject([{ field: 'text' }])
    expect(await storedComments()).toBe(0)
  })

  test('are at most 1,000, also of those that are written at once', async () => {
    expect((await write(ann, 'x'.repeat(5000))).status).toBe(201)
    await deps.db.execute(sql`insert into engine.record_comments (relation, key, text, author_type, author_name)
      select relation, key, 'more', author_type, author_name from engine.record_comments, generate_series(1, 997)`)
    const made = await Promise.all(['a', 'b', 'c', 'd'].map((text) => write(ann, text)))
    expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
    expect((await write(ann, 'of another record', { id: '2' })).status).toBe(201)
  })

  test('are there for records alone', async () => {
    for (const id of ['77', '01', 'x']) {
      expect((await list(ann, { id })).status).toBe(404)
      expect((await write(ann, 'x', { id })).status).toBe(404)
    }
    expect((await write(ann, 'x', { entity: 'Nothing' })).status).toBe(404)
    const admin = await person('root@example.com', ['ADMIN'])
    expect((await list(admin, { entity: 'EngineUsers' })).status).toBe(405)
  })

  test('of two edits at once are those of one, whole', async () => {
    const id = await written(ann, 'First')
    const edits = await Promise.all(['Second', 'Third'].map((text) => change(ann, id, text)))
    expect(edits.map(({ status }) => status)).toEqual([200, 200])
    const [last] = await textsOf(ann)
    expect(['Second', 'Third']).toContain(last)
    const [kept] = (await list(ann)).body.data
    expect(edits.map(({ body }) => body.data[0])).toContainEqual(kept)
  })
})

test('a comment that is deleted while it is changed is changed before or not there', async () => {
  for (let round = 0; round < 10; round++) {
    const id = await written(ann, 'First')
    const ways = ['a', 'b', 'c'].map((text) => change(ann, id, text))
    const [removed, ...changed] = await Promise.all([remove(ann, id), ...ways])
    expect(removed?.status).toBe(200)
    for (const { status } of changed) expect([200, 404]).toContain(status)
  }
  expect(await storedComments()).toBe(0)
})

test.skipIf(testsOnCitus())('a page of comments is one statement by an index', async () => {
  await write(ann, 'x')
  await deps.db.execute(sql`insert into engine.record_comments (relation, key, text, author_type, author_name)
    select relation, n::text, 'more', author_type, author_name from engine.record_comments, generate_series(10, 5000) as n`)
  await deps.db.execute(sql`analyze engine.record_comments`)
  const plan = await rows<Record<string, string>>(
    deps.db,
    sql`explain select * from engine.record_comments where relation = 'entities."order"'::regclass
      and key_hash = hashtextextended('1', 0) and key = '1' order by number limit 50`,
  )
  expect(JSON.stringify(plan)).toContain('record_comments_record')
})
