import { expect, test } from 'vitest'
import { rollback, run, state } from '../../../testing/rollbacks'
import { search, text, version } from '../../../testing/versions'

const part = (key: string, type: string, more: object = {}) => ({
  key,
  strategy: 'Fixed',
  type,
  ...more,
})
const properties = [text('name')]
const dishes = (pks: object[], records: object[]) =>
  version({ entity: { pks }, properties, records })

const V1 = dishes(
  [part('id', 'number'), part('no', 'string')],
  [
    { id: 1, no: 'a', name: 'Cup' },
    { id: 2, no: 'a', name: 'Dish' },
    { id: 2, no: 'é', name: 'Fork' },
  ],
)

test.each([
  ['widens', [part('id', 'string'), part('no', 'string')], { id: '1', no: 'a', name: 'Mug' }],
  [
    'gets another name',
    [part('id', 'number'), part('code', 'string', { renamedFrom: 'no' })],
    { id: 1, code: 'a', name: 'Mug' },
  ],
])('records stay known by a key of which a part %s', async (_, pks, record) => {
  await run(V1)
  const before = await state()
  const second = await run(dishes(pks, [record]), '?removed=delete')
  expect(await search({ fields: Object.keys(record) })).toEqual([record])
  const after = await state()
  const { body } = await rollback(second)
  expect(await state()).toEqual(before)
  await rollback(body.data.history)
  expect(await state()).toEqual(after)
})
