import { expect, test } from 'vitest'
import type { PlannedFile } from '../plugin-file'
import { type Owned, withRemovedDefinitions } from './removed-definitions'

const OWN = 'com.example.shop'
const entity = (name: string, pluginId = OWN): Owned => ({ kind: 'entity', name, pluginId })
const file = (items: { name: string; renamedFrom?: string[] }[], failure: unknown = null) =>
  ({
    kind: 'entity',
    failure,
    warnings: [],
    definitions: { kind: 'entity', items },
  }) as unknown as PlannedFile
const warnings = (files: PlannedFile[], installed: Owned[]) =>
  withRemovedDefinitions(files, OWN, installed).flatMap((one) =>
    one.warnings.map(({ message }) => message),
  )

test('an entity that the archive no longer defines is reported, with what may be its new name', () => {
  expect(warnings([file([{ name: 'Order' }])], [entity('Order'), entity('Cart')])).toEqual([
    'The archive no longer defines the entity "Cart", which stays installed with its records',
  ])
  const [warning] = warnings([file([{ name: 'Basket' }])], [entity('Cart')])
  expect(warning).toContain('declare "renamedFrom": "Cart" for it')
})

test('nothing is reported of other plugins, of former names, and beside a file that failed', () => {
  const order = [{ name: 'Order' }]
  expect(warnings([file(order)], [entity('Order'), entity('Cart', 'com.example.cart')])).toEqual([])
  expect(warnings([file([{ name: 'Order', renamedFrom: ['Cart'] }])], [entity('Cart')])).toEqual([])
  expect(warnings([file(order), file([], 'failed')], [entity('Cart')])).toEqual([])
})
