import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { one, rows } from '@/lib/db/sql'
import { settlePending } from '@/lib/tables/settle-pending'
import { testsOnCitus } from '@/lib/testing/deps'
import { drift } from '../../testing/generated-values'
import { install } from '../../testing/plugin-api'
import { rollback } from '../../testing/rollbacks'
import { PROPERTIES, table } from '../../testing/upgrades'
import { deps, version } from '../../testing/versions'

const pks = [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }]
/** In letters beyond ASCII, as what is remembered of records is put together from bytes. */
const path = (file: number) => `Thing/größe-日本-${String(file).padStart(2, '0')}.json`
const FILES = 12

/** A plugin whose files have three records each; `more`: other contents of some. */
const files = (more: Record<number, object[]> = {}, entity: object = { pks }) => ({
  ...version({ properties: PROPERTIES, records: [], entity }),
  ...Object.fromEntries(
    Array.from({ length: FILES }, (_, file) => [path(file), more[file] ?? three(file)]),
  ),
})
const three = (file: number) => [1, 2, 2].map((price) => ({ name: `Größe 日本 ${file}`, price }))

const data = (logs: Awaited<ReturnType<typeof install>>['logs']) =>
  logs.filter((log) => /\d\.json$/.test(log.path))

const created = (count: number) => ({ created: count, updated: 0, unchanged: 0, failed: 0 })

describe.each(['', '?mode=atomic'])('small files of one entity, installed with "%s",', (query) => {
  test('are reported each, and remembered by their paths', async () => {
    const { logs } = await install(deps, files(), { query })
    expect(data(logs).map(({ records, status }) => ({ records, status }))).toEqual(
      Array.from({ length: FILES }, () => ({ records: created(3), status: 'created' })),
    )
    await settlePending(deps.db)
    const remembered = sql`select p.path, json_agg(p.ordinal order by p.key::int) as ordinals,
        bool_and(p.base ->> 'name' = 'Größe 日本 ' || substring(p.path from '([0-9]+)[.]json')::int) as "isOwn"
      from engine.plugin_records as p where entity = 'Thing' group by 1 order by 1`
    expect(await rows(deps.db, remembered)).toEqual(
      Array.from({ length: FILES }, (_, n) => ({
        path: path(n),
        ordinals: [0, 0, 1],
        isOwn: true,
      })),
    )
  })

  test('are known again, with what was deleted', async () => {
    const first = await install(deps, files(), { query })
    await deps.db.execute(sql`delete from ${table} where name = 'Größe 日本 3' and price = 1`)
    const { logs } = await install(deps, files({ 5: [] }), { query })
    expect(data(logs).every(({ records }) => records.created + records.updated === 0)).toBe(true)
    expect(await drift()).toMatchObject([{ change: 'deleted' }])
    expect((await rollback(first.body.data.history + 1)).status).toBe(200)
    expect((await rollback(first.body.data.history)).status).toBe(200)
  })
})

test('a faulty small file fails alone', async () => {
  const { body, logs } = await install(deps, files({ 4: [{ price: 'x' }] }))
  expect(body.data).toMatchObject({ failedCount: 1 })
  expect(data(logs).filter(({ status }) => status === 'failed')).toMatchObject([{ path: path(4) }])
  expect(await drift()).toEqual([])
})

test('more than are copied at once are all installed, with one at fault in the middle', async () => {
  const many = 230
  const fault = 150
  const more = Object.fromEntries(
    Array.from({ length: many }, (_, n) => [n, [{ name: `${n}`, price: n === fault ? 'x' : n }]]),
  )
  const archive = {
    ...version({ properties: PROPERTIES, records: [], entity: { pks } }),
    ...Object.fromEntries(Object.entries(more).map(([n, records]) => [path(Number(n)), records])),
  }
  const { body, logs } = await install(deps, archive)
  expect(body.data).toMatchObject({ failedCount: 1 })
  expect(data(logs).filter(({ status }) => status === 'failed')).toMatchObject([
    { path: path(fault) },
  ])
  const stored = sql`select json_agg(price order by price) as prices, bool_and(name = price::text) as "isOwn" from ${table}`
  expect(one(await rows(deps.db, stored))).toEqual({
    prices: Array.from({ length: many }, (_, n) => n).filter((n) => n !== fault),
    isOwn: true,
  })
  expect(await drift()).toEqual([])
})

test('small files that give the same record are merged one after the other', async () => {
  const entity = { pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }] }
  const same = (price: number) => [{ id: 1, name: 'Cup', price }]
  const more = Object.fromEntries(Array.from({ length: FILES }, (_, n) => [n, same(n)]))
  const { logs } = await install(deps, files(more, entity))
  expect(data(logs)[0]).toMatchObject({ records: created(1) })
  const stored = sql`select json_agg(price) as prices from ${table}`
  expect(one(await rows<{ prices: number[] }>(deps.db, stored)).prices).toEqual([FILES - 1])
})

test('small files take one transaction', async () => {
  if (deps.dialect !== 'postgres' || testsOnCitus()) return
  await install(deps, files())
  const query = sql`select count(distinct xmin::text)::int as transactions from ${table}`
  expect(one(await rows<{ transactions: number }>(deps.db, query)).transactions).toBe(1)
})
