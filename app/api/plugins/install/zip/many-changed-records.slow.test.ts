import { expect, test } from 'vitest'
import { installed, search, text, type Version, version } from '../../testing/versions'

const COUNT = 2_500
const KEYS = { pks: [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }] }
const thing = (n: number, note: string) => ({ name: `Thing ${n}`, color: `c${n % 9}`, note })
const records = (note: string): object[] => Array.from({ length: COUNT }, (_, n) => thing(n, note))

test.each<[string, Version]>([
  ['without rules', { properties: [text('name'), text('color'), text('note')] }],
  [
    'with a unique field',
    { properties: [text('name', { unique: true }), text('color'), text('note')] },
  ],
])('as many records without keys as a file has stay the same ones, %s', async (_, more) => {
  await installed(version({ ...more, entity: KEYS, records: records('old') }))
  const logs = await installed(version({ ...more, entity: KEYS, records: records('new') }))
  expect(logs.at(-1)?.records).toMatchObject({ created: 0, updated: COUNT })
  const found = await search({ fields: ['name', 'note'], pagination: { size: 1 }, query: [] })
  expect(found).toMatchObject([{ name: 'Thing 0', note: 'new' }])
})
