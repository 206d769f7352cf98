import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { pendingPluginRecords, pluginRecords } from '@/lib/db/schema'
import { one, rows } from '@/lib/db/sql'
import { registryChanged } from '@/lib/registry/registry'
import { settlePending, settleQuiet } from '@/lib/tables/settle-pending'
import { pluginFiles } from '@/lib/testing/archive'
import { defineTestSchema } from '@/lib/testing/define'
import { testsOnCitus } from '@/lib/testing/deps'
import { drift } from '../../testing/generated-values'
import { changed, MANY, things } from '../../testing/large-files'
import { install } from '../../testing/plugin-api'
import { rollback } from '../../testing/rollbacks'
import { restore, uninstall } from '../../testing/uninstall-api'
import { edit, PROPERTIES, table } from '../../testing/upgrades'
import { deps, installed, version } from '../../testing/versions'

const ID = 'com.example.shop'
const TYPED = [
  ...PROPERTIES,
  { name: 'at', type: 'datetime' },
  { name: 'day', type: 'date' },
  { name: 'time', type: 'time' },
  { name: 'exact', type: 'decimal' },
  { name: 'small', type: 'smallint' },
  { name: 'whole', type: 'bigint' },
  { name: 'ratio', type: 'double' },
  { name: 'is', type: 'boolean' },
  { name: 'any', type: 'json' },
  { name: 'list', type: 'array' },
]
const ODD = {
  at: '2026-01-02T03:04:05.678+02:00',
  day: '2026-01-02',
  time: '03:04:05',
  exact: '12345678901234567890.123',
  small: 7,
  whole: '9007199254740993',
  ratio: 0.1,
  is: false,
  any: { 'tab\t': ['\\N', null, '\\', 'a\nb\r', '"', '\u0001', 'ü 🙂', {}] },
  list: ['\\t', '', 'null'],
  undeclared: { text: '\\.\t\n' },
}
const odd = (id: number) => (id % 3 === 0 ? { name: '\\N' } : id % 3 === 1 ? ODD : { name: '\t\\' })

const give = (records: object[] = things(), more: object = {}) =>
  installed(version({ properties: PROPERTIES, records, ...more }))

async function counts() {
  const query = sql`select (select count(*) from engine.plugin_records where entity = 'Thing')::int as remembered,
    (select count(*) from engine.pending_plugin_records)::int as parts`
  return one(await rows<{ remembered: number; parts: number }>(deps.db, query))
}

const RENAMED = PROPERTIES.map((one) =>
  one.name === 'price' ? { ...one, name: 'cost', renamedFrom: ['price'] } : one,
)

const isCopied = () => deps.dialect === 'postgres' && !testsOnCitus()
const settled = { remembered: MANY, parts: 0 }

describe('what a large file gives to an empty table', () => {
  test('is remembered later, and whole', async () => {
    await give()
    const { remembered, parts } = await counts()
    if (isCopied())
      expect({ remembered, isPending: parts > 1 }).toEqual({ remembered: 0, isPending: true })
    await Promise.all([settlePending(deps.db), settlePending(deps.db)])
    expect(await counts()).toEqual(settled)
    expect(await drift()).toEqual([])
  })

  test('is remembered as it was, whatever the values', async () => {
    const records = things().map((thing) => ({ ...thing, ...odd(thing.id) }))
    await give(records, { properties: TYPED })
    expect(await drift()).toEqual([])
    expect(await counts()).toEqual(settled)
    const query = sql`select base, to_jsonb(t) as row from engine.plugin_records as p
      join entities.thing as t on t.id::text = p.key where p.key = '1'`
    const { base } = one(await rows<{ base: object }>(deps.db, query))
    expect(base).toMatchObject({
      ...{ at: '2026-01-02T01:04:05.678Z', day: ODD.day, any: ODD.any, list: ODD.list },
      ...{ undeclared: ODD.undeclared, is: false },
    })
  })

  test('is what it was before an edit, also by others than the engine', async () => {
    await give()
    await edit('price = 9', 2)
    expect(await drift()).toMatchObject([
      { key: '2', change: 'edited', fields: [{ field: 'price', base: 1, ours: 9 }] },
    ])
  })

  test.each([
    ['before', 'new.price := new.price + 1'],
    ['after', 'update entities.thing set price = price + 1 where id = new.id'],
  ])('is what the database stored, when a trigger changes it %s it is', async (when, change) => {
    if (testsOnCitus()) return
    await give([])
    await deps.db.execute(sql`create or replace function public.dearer() returns trigger language plpgsql as
      ${sql.raw(`'begin ${change}; return new; end'`)}`)
    await deps.db.execute(sql`create trigger dearer ${sql.raw(when)} insert on ${table}
      for each row execute function public.dearer()`)
    await give()
    expect((await counts()).remembered).toBe(MANY)
    expect(await drift()).toEqual([])
  })

  test('is remembered in parts of a megabyte, however many fields have no value', async () => {
    const names = Array.from({ length: 190 }, (_, n) => ({ name: `field${n}`, type: 'text' }))
    const records = Array.from({ length: 3_000 }, (_, n) => ({ id: n, name: 'Thing'.padEnd(130) }))
    await give(records, { properties: [...PROPERTIES, ...names] })
    if (isCopied()) expect((await counts()).parts).toBeGreaterThan(1)
    const most = sql`select coalesce(max(length(lines)), 0)::int as bytes from engine.pending_plugin_records`
    expect(one(await rows<{ bytes: number }>(deps.db, most)).bytes).toBeLessThanOrEqual(1024 * 1024)
    expect(await drift()).toEqual([])
    expect(await counts()).toEqual({ remembered: 3_000, parts: 0 })
  })

  test('is remembered at once where a key is so long that it might not fit', async () => {
    const keys = ['id', 'name'].map((key) => ({ key, strategy: 'Fixed', type: 'string' }))
    const named = (name: string) =>
      things().map((thing) => ({
        ...thing,
        id: String(thing.id),
        name: thing.id === 7 ? name : 'x',
      }))
    await give(named('y'.repeat(900)), { entity: { pks: keys } })
    expect((await counts()).remembered).toBe(MANY)
  })

  test('stands in no other way when it can not be remembered', async () => {
    if (!isCopied()) return
    await give()
    await deps.db.execute(sql`update engine.pending_plugin_records
      set columns = jsonb_set(columns, '{1,type}', '"date"') where id = (select max(id) from engine.pending_plugin_records)`)
    await settlePending(deps.db)
    const { remembered, parts } = await counts()
    expect([remembered > 0, remembered < MANY, parts]).toEqual([true, true, 1])
    await settleQuiet(deps)
    await installed(version({ properties: PROPERTIES }))
  })

  test('is there for another file of the same archive', async () => {
    for (const query of ['', '?mode=atomic']) {
      const others = [
        { id: 2, price: 7 },
        { id: MANY + 1, name: 'One more', price: 1, note: '' },
      ]
      const files = version({ properties: PROPERTIES, records: things() })
      const { body } = await install(deps, { ...files, 'Thing/others.json': others }, { query })
      expect(body.data.failedCount).toBe(0)
      await edit(`note = 'mine'`, 2)
      expect(await drift()).toMatchObject([{ key: '2', fields: [{ field: 'note' }] }])
      await rollback(body.data.history, '?onConflict=take')
      const left = sql`select to_regclass('entities.thing') is null as removed`
      expect(one(await rows<{ removed: boolean }>(deps.db, left)).removed).toBe(true)
    }
  })

  test('waits for a moment without need of it', async () => {
    await give()
    const before = await counts()
    await settleQuiet(deps)
    expect(await counts()).toEqual(before)
    await deps.db.execute(
      sql`update engine.pending_plugin_records set created_at = now() - interval '11 seconds'`,
    )
    await settleQuiet(deps)
    expect(await counts()).toEqual(settled)
  })
})

test.each([
  ['plain', 'plain'],
  ['\\N', null],
  ['', ''],
  ['\\\\N', '\\N'],
  ['a\\tb\\nc\\rd', 'a\tb\nc\rd'],
  ['\\\\t\\\\\\t\\\\\\\\n', '\\t\\\t\\\\n'],
  ['\\\\', '\\'],
  ['\u0001ü 🙂"', '\u0001ü 🙂"'],
])(
  'the value %j of a line, as a backup may bring it to any database, is %j',
  async (text, value) => {
    await deps.db.insert(pendingPluginRecords).values({
      ...{ pluginId: ID, entity: 'Thing' },
      columns: [
        { name: 'id', type: 'bigint' },
        { name: 'name', type: 'text' },
      ],
      statement: `insert into engine.plugin_records (plugin_id, entity, key, path, base)
      select '${ID}', 'Thing', t.id::text, 'data.json', to_jsonb(t)`,
      lines: Buffer.from(`1\t${text}\n2\tnext\n`),
    })
    await settlePending(deps.db)
    const bases = await deps.db.select({ base: pluginRecords.base }).from(pluginRecords)
    expect(bases.map(({ base }) => base)).toEqual([
      { id: 1, name: value },
      { id: 2, name: 'next' },
    ])
  },
)

describe('immediately after it', () => {
  beforeEach(async () => {
    await give()
    await edit('price = 9', 2)
  })

  test('a version is merged with edits', async () => {
    const logs = await give(changed({ 2: { price: 5 }, 3: { price: 6 } }))
    expect(logs.at(-1)).toMatchObject({ records: { updated: 1 }, conflictCount: 1 })
  })

  test('a file that gives everything again after all was deleted is merged', async () => {
    await deps.db.execute(sql`delete from ${table}`)
    await give()
    expect((await counts()).remembered).toBe(MANY)
    expect(await drift()).toEqual([])
  })

  test('another file of the plugin gives it all in other words', async () => {
    await deps.db.execute(sql`delete from ${table}`)
    const files = { 'others.json': things(5) }
    await installed(pluginFiles({ Thing: { files } }))
    expect(await drift()).toEqual([])
  })

  test('a field gets another name', async () => {
    await installed(version({ properties: RENAMED }))
    expect(await drift()).toMatchObject([{ fields: [{ field: 'cost', base: 1, ours: 9 }] }])
  })

  test('a definition that waited for it is changed', async () => {
    await defineTestSchema(deps, { name: 'Thing', properties: RENAMED }, ID)
    await registryChanged(deps)
    expect(await drift()).toMatchObject([{ fields: [{ field: 'cost', base: 1, ours: 9 }] }])
  })

  test('the plugin is uninstalled and comes back', async () => {
    const { body } = await uninstall(deps, ID)
    await restore(deps, body.data[0].batchId)
    expect(await drift()).toMatchObject([{ key: '2', change: 'edited' }])
    expect(await counts()).toEqual(settled)
  })

  test('a rollback keeps what was edited', async () => {
    const { status } = await rollback(1, '?onConflict=keep')
    expect(status).toBe(200)
    const left = sql`select json_agg(id) as ids from ${table}`
    expect(one(await rows<{ ids: number[] }>(deps.db, left)).ids).toEqual([2])
  })
})
