import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import {
  briefly,
  change,
  changesAfter,
  changesOf,
  create,
  cursorOfNow,
  define,
  deps,
  inBatch,
  keyOf,
  remove,
} from './testing/followed'

describe('the changes of the records of an entity', () => {
  test('say what was done, by whom, and which fields differ', async () => {
    const since = await cursorOfNow()
    await create({ id: 1, title: 'A', price: '12345678901234567890.10' })
    await change('1', { title: 'B' })
    await remove('1')
    const [created, updated, deleted] = await changesAfter(since)
    expect(created).toMatchObject({
      ...{ action: 'created', key: '1', before: null, after: { id: 1, title: 'A' } },
      ...{ actor: { type: 'api_key' }, cause: { action: 'records.create', install: null } },
    })
    expect(created?.requestId).toEqual(expect.any(String))
    expect(updated).toMatchObject({
      ...{ action: 'updated', fields: ['title'], before: { title: 'A' }, after: { title: 'B' } },
    })
    expect(deleted).toMatchObject({ action: 'deleted', before: { title: 'B' }, after: null })
    const { text } = await changesOf(`since=${since}`)
    expect(text).toContain('12345678901234567890.10')
  })

  test('are none of what was rolled back, and of SQL as of the API', async () => {
    const since = await cursorOfNow()
    await deps.db
      .transaction(async (tx) => {
        await tx.execute(sql`insert into entities.book (id, title) values (1, 'never')`)
        throw new Error('stop')
      })
      .catch(() => {})
    await deps.db.execute(sql`insert into entities.book (id, title) values (2, 'x')`)
    await deps.db.execute(sql`update entities.book set title = title`)
    await deps.db.execute(sql`update entities.book set id = 3`)
    const found = await changesAfter(since)
    expect(briefly(found)).toEqual(['created 2', 'deleted 2', 'created 3'])
    expect(found[0]).toMatchObject({ actor: null, cause: { action: null } })
  })

  test('come in pages, each once, and the last page leads on', async () => {
    const since = await cursorOfNow()
    for (const id of [1, 2, 3]) await create({ id })
    await changesAfter(since)
    const { body } = await changesOf(`since=${since}&limit=2`)
    expect([briefly(body.data), body.meta.more]).toEqual([['created 1', 'created 2'], true])
    const rest = await changesOf(`since=${body.data[0].cursor}`)
    expect([briefly(rest.body.data), rest.body.meta.more]).toEqual([
      ...[['created 2', 'created 3'], false],
    ])
    expect(await changesAfter(rest.body.meta.cursor)).toEqual([])
  })

  test('come in pages of some MiB, however well records can be compressed', async () => {
    await create({ id: 1, title: 'x'.repeat(2 * 1024 * 1024) })
    const since = await cursorOfNow()
    for (let price = 1; price <= 8; price++) await change('1', { price })
    const { body } = await changesOf(`since=${since}&limit=100`)
    expect([body.data.length, body.meta.more]).toEqual([4, true])
    expect(await changesAfter(body.meta.cursor)).toHaveLength(4)
  })

  test('of a statement about many are one change with their number, or each', async () => {
    const since = await cursorOfNow()
    await deps.db.execute(
      sql`insert into entities.book (id, title) select g, 'x' from generate_series(1, 150) g`,
    )
    await deps.db.execute(sql`truncate entities.book`)
    const found = await changesAfter(since)
    expect(found.map(({ action, counts }) => [action, counts])).toEqual([
      ['many', { created: 150, updated: 0, deleted: 0 }],
      ['many', { created: 0, updated: 0, deleted: 150 }],
    ])
    const each = await changesAfter(since, 'many=records')
    expect(each).toHaveLength(300)
    expect(briefly(each)).toEqual(expect.arrayContaining(['created 150', 'deleted 1']))
  })

  test('wait for one, up to the seconds that are asked for', async () => {
    const since = await cursorOfNow()
    const waiting = changesOf(`since=${since}&wait=20`)
    await create({ id: 7 })
    expect(briefly((await waiting).body.data)).toEqual(['created 7'])
    const { status, body } = await changesOf(`since=${(await waiting).body.meta.cursor}&wait=1`)
    expect([status, body.data]).toEqual([200, []])
  })

  test('of a batch are those of its records', async () => {
    await create({ id: 1, title: 'a' })
    await create({ id: 2, title: 'b' })
    const since = await cursorOfNow()
    await inBatch('PATCH', { entity: 'Book', query: [], set: { title: 'c' } })
    const found = await changesAfter(since)
    expect(briefly(found).sort()).toEqual(['updated 1', 'updated 2'])
    expect(found[0]?.cause.action).toBe('records.update')
  })
})

describe('a feed is refused', () => {
  test('without the right to read the entity', async () => {
    expect((await changesOf('', await keyOf([]))).status).toBe(403)
  })

  test('of an entity that keeps no events, which tells how', async () => {
    await define({ events: false })
    const { status, body } = await changesOf()
    expect([status, body.error]).toEqual([409, expect.stringContaining('"events": true')])
  })

  test.each(['x', 'bm8', '%00', Buffer.from('12345678.1').toString('base64url')])(
    'with %j as its cursor',
    async (since) => {
      const { status, body } = await changesOf(`since=${since}`)
      expect([status, body.validations[0].field]).toEqual([400, 'since'])
    },
  )

  test('with 410 for a cursor of another database, and of what is no longer kept', async () => {
    const cursor = (text: string) => Buffer.from(text).toString('base64url')
    const [log, xid] = Buffer.from(await cursorOfNow(), 'base64url')
      .toString()
      .split('.')
    expect((await changesOf(`since=${cursor(`00000000.${xid}.1`)}`)).status).toBe(410)
    expect((await changesOf(`since=${cursor(`${log}.${Number(xid) + 1_000_000}.1`)}`)).status).toBe(
      410,
    )
    expect((await changesOf(`since=${cursor(`${log}.${xid}.1`)}`)).status).toBe(200)
    await deps.db.execute(sql`update engine.event_log set expired = ${`${Number(xid) + 1}`}::xid8`)
    const { status, body } = await changesOf(`since=${cursor(`${log}.${xid}.1`)}`)
    expect([status, body.error]).toEqual([410, expect.stringContaining('Begin again')])
    await deps.db.execute(sql`update engine.event_log set expired = '0'`)
  })
})
