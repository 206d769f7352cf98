import { expect, test } from 'vitest'
import { rolledBack, run } from '../../../testing/rollbacks'
import { installed, integer, search, text, version } from '../../../testing/versions'

test('fields may have any name, those of aliases in statements too', async () => {
  const names = [...'abcdefgjklmnoprstuvw']
  const properties = names.map((name) => integer(name))
  const input = (value: number) => Object.fromEntries(names.map((name) => [name, value]))
  const first = { id: 1, ...input(1) }
  await installed(version({ properties, records: [first, { id: 2, ...input(1) }] }))
  const second = await run(
    version({ properties, records: [{ id: 1, ...input(2) }] }),
    '?removed=delete',
  )
  expect(await search()).toEqual([{ id: 1, ...input(2) }])
  expect(await rolledBack(second)).toBeGreaterThan(second)
  expect(await search()).toEqual([first, { id: 2, ...input(1) }])
})

test('the time and author of the last change are as before', async () => {
  const entity = { auditable: true }
  const properties = [text('name')]
  await installed(version({ entity, properties, records: [{ id: 1, name: 'Cup' }] }))
  const before = await search()
  const second = await run(version({ entity, properties, records: [{ id: 1, name: 'Mug' }] }))
  expect(await search()).not.toEqual(before)
  await rolledBack(second)
  expect(await search()).toEqual(before)
})
