import { type ConsoleKind, textOf } from './console-kind'

export const text: ConsoleKind = {
  format: (value) => value,
  example: null,

  form: 'any',
  moment: null,
  operators: { first: ['icontains', 'eq', 'ne', 'istarts', 'iends', 'in', 'nin'], others: true },
  labels: {},
  filterInput: 'text',
  firstValue: '',

  cell: 'text',
  width: 200,

  types: ['string', 'text', 'email', 'url', 'phone', 'uuid'],
  input: {},
  choices: null,
  toText: textOf,
  parse: (value) => ({ value }),
}
