import { beforeEach, expect, test } from 'vitest'
import { installTestEntity } from '@/lib/testing/entity'
import { change, create, deps, historyOf, remove, restore, signedInAs, told } from './testing/books'

/** Names that the statements and triggers which keep a history have used for something else. */
const NAMES = ['t', 'r', 'j', 'k', 'v', 'change', 'install', 'written', 'data', 'at', 'added']
const entity = 'Odd'
const properties = NAMES.map((name) => ({ name, type: 'integer' }))

let as: Record<string, string>

beforeEach(async () => {
  as = await signedInAs(['EDITOR'])
})

const filled = (value: number) => Object.fromEntries(NAMES.map((name) => [name, value]))
const changed = (before: unknown, after: unknown) =>
  Object.fromEntries(NAMES.map((name) => [name, [before, after]]))

test('a field may have any name that the history uses itself', async () => {
  await installTestEntity(deps, { entity: { name: entity, history: true }, schema: { properties } })
  expect((await create({ id: 1, ...filled(1) }, { entity, as })).status).toBe(201)
  expect((await change('1', filled(2), { entity, as })).status).toBe(200)
  const { data } = (await historyOf('1', { entity, as })).body
  expect(told(data)).toEqual([
    ['update', 'records.update', changed(1, 2)],
    ['insert', 'records.create', { id: [undefined, 1], ...changed(undefined, 1) }],
  ])
  expect((await restore('1', data[1].version, { entity, as })).body.data[0]).toMatchObject(
    filled(1),
  )
  expect((await remove('1', { entity, as })).status).toBe(200)
  expect(told((await historyOf('1', { entity, as })).body.data)[0]?.[0]).toBe('delete')
})

test('keys may, too', async () => {
  const pks = NAMES.slice(0, 7).map((key) => ({ key, strategy: 'Fixed', type: 'number' }))
  await installTestEntity(deps, {
    entity: { name: entity, history: true, pks },
    schema: { properties: [...properties, { name: 'title', type: 'string' }] },
  })
  const made = await create({ ...filled(1), title: 'A' }, { entity, as })
  const id = made.body.data[0].persistenceId
  await change(id, { title: 'B' }, { entity, as })
  expect(told((await historyOf(id, { entity, as })).body.data)[0]).toEqual([
    'update',
    'records.update',
    { title: ['A', 'B'] },
  ])
})
