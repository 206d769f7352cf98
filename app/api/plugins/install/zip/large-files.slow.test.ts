import { beforeEach, expect, test } from 'vitest'
import { changed, LAST, MANY, prices, things } from '../../testing/large-files'
import { edit, remove, upgrade } from '../../testing/upgrades'

beforeEach(async () => {
  expect(await upgrade(things())).toMatchObject({ verdict: 'created', counts: [MANY, 0, 0] })
})

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
  expect(counts).toEqual([0, 1, MANY - 3])
  expect(log?.deleted).toEqual({ kept: 2, restored: 0 })
  expect(log).toMatchObject({ conflictCount: 3, removed: { total: 0, deleted: 0 } })
  expect(log?.conflicts.map(({ key, change }) => [key, change])).toEqual([
    ['2', 'edited'],
    [`${LAST}`, 'edited'],
    [`${MANY}`, 'deleted'],
  ])
  expect(await prices(2, 4, LAST)).toEqual([9, 5, 9])
  expect(await upgrade(next, '&onConflict=take')).toMatchObject({ counts: [0, 0, MANY - 2] })
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
