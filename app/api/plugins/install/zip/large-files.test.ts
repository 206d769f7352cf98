import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { one, rows } from '@/lib/db/rows'
import { edit, PROPERTIES, remove, table, upgrade } from '../../testing/upgrades'
import { deps, integer } from '../../testing/versions'

/** Several parts of a file, of which each has some of the records. */
const MANY = 200
const note = (id: number) => `${id}`.padEnd(9_500, '.')
const things = (price = 1, count = MANY) =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Thing ${index}`,
    price,
    note: note(index + 1),
  }))
const changed = (changes: Record<number, object>) =>
  things().map((thing) => ({ ...thing, ...changes[thing.id] }))
const LAST = MANY - 1

beforeEach(async () => {
  expect(await upgrade(things())).toMatchObject({ verdict: 'created', counts: [MANY, 0, 0] })
})

const prices = async (...ids: number[]) =>
  one(
    await rows<{ prices: number[] }>(
      deps.db,
      sql`select json_agg(price order by id) as prices from ${table} where id in (${sql.raw(ids.join())})`,
    ),
  ).prices

test('a new version of a large file is merged with local edits, wherever they are in it', async () => {
  await edit('price = 9', 2)
  await edit('price = 9', LAST)
  await remove(3, MANY)
  const next = changed({
    2: { price: 5 },
    4: { price: 5 },
    [LAST]: { price: 6 },
    [MANY]: { price: 5 },
  })
  const { counts, log } = await upgrade(next)
  expect(counts).toEqual([0, 1, MANY - 1])
  expect(log).toMatchObject({ conflictCount: 3, removed: { total: 0, deleted: 0 } })
  expect(log?.conflicts.map(({ key, change }) => [key, change])).toEqual([
    ['2', 'edited'],
    [`${LAST}`, 'edited'],
    [`${MANY}`, 'deleted'],
  ])
  expect(await prices(2, 4, LAST)).toEqual([9, 5, 9])
  expect(await upgrade(next, '&onConflict=take')).toMatchObject({ counts: [0, 0, MANY] })
})

test('conflicts in several parts of a file that are to fail it are all listed', async () => {
  await edit('price = 9', 2)
  await edit('price = 9', LAST)
  const next = changed({ 1: { price: 5 }, 2: { price: 5 }, [LAST]: { price: 6 } })
  const { verdict, log } = await upgrade(next, '&onConflict=fail')
  expect(verdict).toBe('Conflict Issue!')
  expect(log?.details.map(({ key }) => key)).toEqual(['2', `${LAST}`])
  expect(await prices(1, 2, LAST)).toEqual([1, 9, 9])
})

test('records that a large file gives no longer are found', async () => {
  await edit('price = 9', 1)
  const next = things().filter(({ id }) => id !== 1 && id !== 100 && id !== MANY)
  const { log } = await upgrade(next, '&removed=delete')
  expect(log?.removed).toEqual({ total: 3, deleted: 2 })
})

test('a key that comes again in a later part is the same record', async () => {
  const again = { id: 1, name: 'Again', price: 7 }
  const { counts } = await upgrade([...things(), again])
  expect(counts).toEqual([0, 1, MANY])
  expect(await upgrade([...things(), again])).toMatchObject({ counts: [0, 0, MANY + 1] })
})

test('new records of a large file are created', async () => {
  expect((await upgrade(things(1, MANY + 10))).counts).toEqual([10, 0, MANY])
})

test('faults in a late part are named with their positions, and nothing is written', async () => {
  const next = [...things(2), { id: MANY + 1, price: 'dear' }, { id: MANY + 2, price: 1.5 }]
  const { verdict, log } = await upgrade(next)
  expect(verdict).toBe('Invalid record')
  expect(log?.details.map(({ index }) => index)).toEqual([MANY, MANY + 1])
  expect(await prices(1, MANY)).toEqual([1, 1])
})

test('values that are taken are named with their positions, and nothing is written', async () => {
  const properties = [...PROPERTIES, integer('code', { unique: true })]
  const coded = (price: number) => things(price).map((thing) => ({ ...thing, code: thing.id }))
  expect(await upgrade(coded(1), '', { properties })).toMatchObject({ counts: [0, MANY, 0] })
  const next = coded(2).map((thing) => (thing.id > LAST ? { ...thing, code: 1 } : thing))
  const { verdict, log } = await upgrade(next, '', { properties })
  expect(verdict).toBe('Conflict Issue!')
  expect(log?.details.map(({ index }) => index)).toEqual([LAST])
  expect(await prices(1, MANY)).toEqual([1, 1])
})

test('records refer to others in a later part of the file', async () => {
  const properties = [
    ...PROPERTIES,
    integer('next', { reference: { entity: 'Thing', field: 'id' } }),
  ]
  const linked = things().map((thing) => ({ ...thing, next: (thing.id % (MANY + 50)) + 1 }))
  expect(await upgrade([...linked, { id: MANY + 1 }], '', { properties })).toMatchObject({
    counts: [1, MANY, 0],
  })
  const { verdict, log } = await upgrade([...linked.slice(0, -1), { id: MANY, next: 1_000 }], '', {
    properties,
  })
  expect(verdict).toBe('Missing dependency')
  expect(log?.details.map(({ index }) => index)).toEqual([LAST])
})
