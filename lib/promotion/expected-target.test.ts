import { expect, test } from 'vitest'
import { changedSince, type Expected } from './expected-target'

const role = (label: string) => ({
  ...{ change: 'change' as const, name: 'role Clerk', missing: null },
  was: JSON.stringify({ name: 'Clerk', label }),
})
const expected: Expected = {
  plugins: { shop: { 'Shoe/data.json': 'one' }, laces: null },
  settings: [role('Clerks')],
  renames: false,
}
const none = new Set<string>()

test('what is as it was, or was done by the promotion itself, is no change', () => {
  const untouched = { states: expected.plugins, settings: expected.settings }
  expect(changedSince(expected, none, untouched)).toEqual([])
  const half = { states: { laces: null }, settings: [] }
  expect(changedSince(expected, new Set(['shop']), half)).toEqual([])
  // The database keeps properties in another order.
  const kept = expected.settings.map((one) => Object.fromEntries(Object.entries(one).reverse()))
  const restored = { ...expected, settings: kept as Expected['settings'] }
  expect(changedSince(restored, none, untouched)).toEqual([])
})

test('records, plugins and settings that others have changed are named', () => {
  const states = { shop: { 'Shoe/data.json': 'two' }, laces: {}, other: null }
  expect(changedSince(expected, none, { states, settings: [role('Others')] })).toEqual([
    'Shoe/data.json',
    'the plugin laces was installed',
    'the plugin other',
    'role Clerk',
  ])
})

test('what the promotion has installed and is no longer as the source has it is named', () => {
  const states = { shop: { 'Shoe/data.json': 'one' } }
  expect(changedSince(expected, new Set(['shop']), { states, settings: [] })).toEqual([
    'the plugin shop',
  ])
})

test('settings that follow an entity to its new name are not compared once it has that', () => {
  const renaming = { ...expected, renames: true }
  const now = { states: {}, settings: [role('Others')] }
  expect(changedSince(renaming, none, now)).toEqual(['role Clerk'])
  expect(changedSince(renaming, new Set(['shop']), now)).toEqual([])
})
