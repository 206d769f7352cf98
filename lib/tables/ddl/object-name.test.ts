import { expect, test } from 'vitest'
import { objectName } from './object-name'

const table = { schema: 'entities', name: 'a'.repeat(63) }

test('names of indexes fit into 63 bytes, are unique and never change', () => {
  const names = [
    objectName('ix', table, ['b'.repeat(63)]),
    objectName('ux', table, ['b'.repeat(63)]),
    objectName('ix', table, [`${'b'.repeat(62)}c`]),
    objectName('ix', { ...table, schema: 'other' }, ['b'.repeat(63)]),
    objectName('ix', table, ['b', 'c']),
    objectName('ix', table, ['b_c']),
  ]
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63)
  expect(objectName('ix', { schema: 'entities', name: 'city' }, ['name.natural'])).toBe(
    'ix_city_namenatural_9f4347f2f9',
  )
})
