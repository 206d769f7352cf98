import { expect, it } from 'vitest'
import { fieldLabel } from './field-label'

it.each([
  ['createdAt', 'Created at'],
  ['CreatedAt', 'Created at'],
  ['elevationFt', 'Elevation ft'],
  ['unit_price', 'Unit price'],
  ['persistenceId', 'Persistence ID'],
  ['HTTPStatus', 'HTTP status'],
  ['IATA', 'IATA'],
  ['iso2', 'Iso2'],
  ['id', 'ID'],
  ['straße', 'Straße'],
  ['größeÄußere', 'Größe äußere'],
  ['already In words', 'Already in words'],
  ['_', '_'],
])('calls %s %s', (name, label) => {
  expect(fieldLabel({ name, label: null })).toBe(label)
})

it('prefers the label of the definition', () => {
  expect(fieldLabel({ name: 'createdAt', label: 'Day of entry' })).toBe('Day of entry')
})
