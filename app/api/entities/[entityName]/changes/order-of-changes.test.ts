import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { install } from '@/app/api/plugins/testing/plugin-api'
import { rows } from '@/lib/db/sql'
import { sweepEvents } from '@/lib/events/sweep-events'
import { pluginFiles } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { GET } from './route'
import {
  briefly,
  change,
  changesAfter,
  changesOf,
  create,
  cursorOfNow,
  deps,
} from './testing/followed'

test('a change of a slow transaction is passed over by no reader', async () => {
  // The embedded database has one connection: nothing overtakes.
  if (deps.dialect === 'pglite') return
  const since = await cursorOfNow()
  let commit = () => {}
  let written = () => {}
  const isWritten = new Promise<void>((resolve) => {
    written = resolve
  })
  const slow = deps.db.transaction(async (tx) => {
    await tx.execute(sql`insert into entities.book (id) values (1)`)
    written()
    await new Promise<void>((resolve) => {
      commit = resolve
    })
  })
  await isWritten
  await deps.db.execute(sql`insert into entities.book (id) values (2)`)
  const { body } = await changesOf(`since=${since}`)
  expect(briefly(body.data)).toEqual([])
  commit()
  await slow
  expect(briefly(await changesAfter(body.meta.cursor))).toEqual(['created 1', 'created 2'])
})

test('the changes of a record come in the order in which they happened, whichever transaction began first', async () => {
  if (deps.dialect === 'pglite') return
  await create({ id: 1, title: 'first' })
  const since = await cursorOfNow()
  await deps.db.transaction(async (older) => {
    await older.execute(sql`insert into entities.book (id) values (2)`)
    await change('1', { title: 'second' })
    await older.execute(sql`update entities.book set title = 'third' where id = 1`)
  })
  const changes = (await changesAfter(since)).filter(({ key }) => key === '1')
  expect(changes.map(({ after }) => after)).toMatchObject([{ title: 'second' }, { title: 'third' }])
})

test('a record that a transaction with an older snapshot creates again comes after its deletion', async () => {
  if (deps.dialect === 'pglite') return
  await create({ id: 1, title: 'first' })
  const since = await cursorOfNow()
  await deps.db.transaction(
    async (older) => {
      await older.execute(sql`insert into entities.book (id) values (2)`)
      await deps.db.execute(sql`delete from entities.book where id = 1`)
      await older.execute(sql`insert into entities.book (id, title) values (1, 'again')`)
    },
    { isolationLevel: 'repeatable read' },
  )
  expect(briefly(await changesAfter(since))).toEqual(['created 2', 'deleted 1', 'created 1'])
})

const cups = (records: object[]) =>
  pluginFiles({
    EngineSchemas: {
      files: { 's.json': { name: 'Cup', properties: [{ name: 'size', type: 'integer' }] } },
    },
    EngineEntities: {
      files: {
        'c.json': {
          ...{ name: 'Cup', events: true },
          pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }],
        },
      },
    },
    Cup: { manifest: { target: 'Cup', insertDuplicate: 'Upsert' }, files: { 'd.json': records } },
  })

test('an install is one change, and its records are told to those who ask', async () => {
  await install(deps, cups([{ id: 1, size: 1 }]))
  const follow = (query: string) =>
    call(deps, GET, {
      path: `/api/entities/Cup/changes?${query}`,
      params: { entityName: 'Cup' },
      as: 'ADMIN',
    })
  const since = (await follow('')).body.meta.cursor
  const { body } = await install(
    deps,
    cups([
      { id: 1, size: 2 },
      { id: 2, size: 1 },
    ]),
  )
  const { data } = (await follow(`since=${since}`)).body
  expect(data).toMatchObject([
    {
      ...{ action: 'many', key: null, counts: { created: 1, updated: 1, deleted: 0 } },
      cause: { install: { id: body.data.history, kind: 'install', pluginId: 'com.example.shop' } },
    },
  ])
  const each = (await follow(`since=${since}&many=records`)).body.data
  expect(briefly(each).sort()).toEqual(['created 2', 'updated 1'])
})

test('days that are too old are dropped, and cursors before them are refused', async () => {
  const since = await cursorOfNow()
  await deps.db.execute(sql`insert into entities.book (id) values (1)`)
  await deps.db.execute(sql`
    create table engine.record_events_20200101 partition of engine.record_events for values from ('2020-01-01') to ('2020-01-02')`)
  await deps.db.execute(sql`
    insert into engine.record_events (relation, entity, at, kind, key) values ('entities.book', 'Book', '2020-01-01T12:00Z', 'insert', '9')`)
  expect(await sweepEvents(deps)).toBe(1)
  const left = sql`select 1 from pg_class where relname = 'record_events_20200101'`
  expect(await rows(deps.db, left)).toEqual([])
  expect((await changesOf(`since=${since}`)).status).toBe(410)
  expect(await sweepEvents(deps)).toBe(0)

  const settings = { ...deps.settings, EVENTS_MAX_BYTES: 1 }
  const next = await cursorOfNow()
  await deps.db.execute(sql`insert into entities.book (id) values (2)`)
  expect(await sweepEvents({ ...deps, settings })).toBe(1)
  expect((await changesOf(`since=${next}`)).status).toBe(410)
})

const oldDay = async () => {
  await deps.db.execute(sql`
    create table engine.record_events_20200101 partition of engine.record_events for values from ('2020-01-01') to ('2020-01-02')`)
  await deps.db.execute(sql`
    insert into engine.record_events (relation, entity, at, kind, key, after)
    select 'entities.book', 'Book', '2020-01-01T12:00Z', 'insert', n::text, jsonb_build_object('id', n) from generate_series(1, 2) as n`)
}

test('a cursor amid the changes of a transaction that are no longer kept is refused', async () => {
  const since = await cursorOfNow()
  await oldDay()
  const [first, last] = await changesAfter(since)
  expect((await changesOf(`since=${first?.cursor}`)).body.data).toHaveLength(1)
  await sweepEvents(deps)
  expect((await changesOf(`since=${first?.cursor}`)).status).toBe(410)
  expect((await changesOf(`since=${last?.cursor}`)).status).toBe(410)
})

test('a long transaction that writes changes keeps no day from being emptied', async () => {
  // The embedded database has one connection: nothing is beside it.
  if (deps.dialect === 'pglite') return
  const since = await cursorOfNow()
  await oldDay()
  await deps.db.transaction(async (tx) => {
    await tx.execute(sql`insert into entities.book (id) values (1)`)
    expect(await sweepEvents(deps)).toBe(1)
    expect((await changesOf(`since=${since}`)).status).toBe(410)
  })
  expect(await sweepEvents(deps)).toBe(1)
  const left = sql`select 1 from pg_class where relname = 'record_events_20200101'`
  expect(await rows(deps.db, left)).toEqual([])
})

test('a long transaction that writes many changes keeps nobody from following or writing while days are emptied', async () => {
  if (deps.dialect === 'pglite') return
  await oldDay()
  const many = (from: number) =>
    sql`insert into entities.book (id) select g from generate_series(${from}::int, ${from}::int + 150) g`
  await deps.db.transaction(async (tx) => {
    await tx.execute(many(1))
    // Not after what is written: the reader does not wait for it.
    const since = (await changesOf()).body.meta.cursor
    const sweeping = sweepEvents(deps)
    await expect.poll(isWaiting, { interval: 5 }).toBe(true)
    const from = performance.now()
    await deps.db.execute(many(1_000))
    expect((await changesOf(`since=${since}`)).status).toBe(200)
    expect(performance.now() - from).toBeLessThan(1_000)
    expect(await sweeping).toBe(0)
  })
  expect(await sweepEvents(deps)).toBe(1)
})

const isWaiting = async () =>
  (
    await rows(
      deps.db,
      sql`select 1 from pg_locks where not granted and mode = 'AccessExclusiveLock'`,
    )
  ).length > 0
