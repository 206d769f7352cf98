import { expect, test } from 'vitest'
import { install } from '../../testing/plugin-api'
import { recordsOf } from '../../testing/records'
import { deps, installed, integer, text, version } from '../../testing/versions'

const unique = (computed: string) => text('label', { computed, unique: true })
const LABEL = unique("concat(name, '-', size)")
const files = (records: object[]) =>
  version({ properties: [text('name'), integer('size', { default: 1 }), LABEL], records })
const things = recordsOf(deps, 'Thing')

test('records that meet in a unique computed field are named by their positions', async () => {
  await installed(files([{ id: 1, name: 'Cup', size: 3 }]))
  const { logs } = await install(
    deps,
    files([
      { id: 2, name: 'Pot' },
      { id: 3, name: 'Jug' },
      { id: 4, name: 'Pot', size: 1 },
      { id: 5, name: 'Cup', size: 3 },
    ]),
  )
  expect(logs.at(-1)).toMatchObject({
    error: 'Conflict Issue!',
    detailCount: 2,
    details: [
      {
        index: 2,
        pointer: '/label',
        key: 4,
        message: '"label" must be unique: "Pot-1" is also in record number 1',
      },
      {
        index: 3,
        pointer: '/label',
        key: 5,
        message: '"label" must be unique: "Cup-3" exists already',
      },
    ],
  })
})

test('a record that is changed keeps the fields that are not given', async () => {
  await installed(
    files([
      { id: 1, name: 'Cup', size: 3 },
      { id: 2, name: 'Cup', size: 4 },
    ]),
  )
  const { logs } = await install(deps, files([{ id: 2, size: 3 }]))
  expect(logs.at(-1)).toMatchObject({
    error: 'Conflict Issue!',
    details: [{ index: 0, message: '"label" must be unique: "Cup-3" exists already' }],
  })
  const changed = await things.change(2, { size: 3 })
  expect(changed).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('"Cup-3"') },
  })
})
