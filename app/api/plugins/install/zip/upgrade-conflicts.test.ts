import { expect, test } from 'vitest'
import { installAsPlanned } from '../../testing/install-as-planned'
import { CHANGED, edit, next, remove, THREE, upgrade } from '../../testing/upgrades'
import { deps, installed, search } from '../../testing/versions'

test('what both changed differently is a conflict, which is kept and listed', async () => {
  await installed(next(THREE))
  await edit(`price = 9, "$extra" = '{"color": "green"}'`, 1)
  await edit(`name = 'Spoon'`, 3)
  const { counts, log } = await upgrade(CHANGED)
  expect(counts).toEqual([0, 1, 2])
  expect(log?.conflicts).toEqual([
    {
      key: '1',
      change: 'edited',
      decision: 'keep',
      fields: [
        { field: 'price', base: 3, ours: 9, theirs: 4 },
        { field: 'color', base: 'red', ours: 'green', theirs: 'blue' },
      ],
    },
  ])
  expect((await search())[0]).toEqual({ id: 1, name: 'Mug', price: 9, note: null, color: 'green' })
  // The decision stands: what the plugin gives now is what the record is compared with next.
  expect(await upgrade(CHANGED)).toMatchObject({ counts: [0, 0, 3], log: { conflictCount: 0 } })
})

test('onConflict=take takes what the plugin gives, and what it did not change stays', async () => {
  await installed(next(THREE))
  await edit(`price = 9`, 1)
  await edit(`price = 8`, 3)
  const { counts, log } = await upgrade(CHANGED, '&onConflict=take')
  expect(counts).toEqual([0, 2, 1])
  expect(log?.conflicts).toMatchObject([{ key: '1', decision: 'take' }])
  expect(await search({ fields: ['price'] })).toEqual([{ price: 4 }, { price: 5 }, { price: 8 }])
})

test('onConflict=fail fails the file, and a manifest can ask for it', async () => {
  await installed(next(THREE))
  await edit(`price = 9`, 1)
  await remove(3)
  const before = await search()
  const failed = await upgrade(CHANGED, '&onConflict=fail')
  expect(failed.verdict).toBe('Conflict Issue!')
  expect(failed.log?.details.map(({ key }) => key)).toEqual(['1', '3'])
  const manifest = { target: 'Thing', onConflict: 'fail' }
  const files = { ...next(CHANGED), 'Thing/__manifest__.json': manifest }
  expect((await installAsPlanned(deps, files)).verdict).toBe('Conflict Issue!')
  expect(await search()).toEqual(before)
  expect((await installAsPlanned(deps, files, '&onConflict=take')).counts).toEqual([1, 1, 1])
})

test('conflicts without a decision are told by what was changed, with the way to the records', async () => {
  await installed(next(THREE))
  await edit(`price = 9`, 1)
  await edit(`name = 'Ladle'`, 2)
  await edit(`name = 'Fork 2'`, 3)
  const both = [
    { id: 1, name: 'Cup', price: 4, color: 'red' },
    { id: 2, name: 'Bowl', price: 5 },
    { id: 3, name: 'Spoon', price: 1 },
  ]
  const { log } = await upgrade(both, '&onConflict=fail')
  const told = log?.groups.map(({ entity, rule, message, total, keys, filter }) => ({
    ...{ entity, rule, total, keys, filter },
    message: message.replace(/;.*/, ''),
  }))
  const conflict = (field: string, keys: string[]) => ({
    ...{ entity: 'Thing', rule: 'conflict', total: keys.length, keys },
    filter: [{ field: 'id', operator: 'in', value: keys }],
    message: `"${field}" changed here and in the plugin`,
  })
  expect(told).toEqual([conflict('name', ['2', '3']), conflict('price', ['1'])])
  const found = await search({ query: told?.[0]?.filter, fields: ['name'] })
  expect(found).toEqual([{ name: 'Ladle' }, { name: 'Fork 2' }])
})
