import type { ConsoleKind } from './console-kind'
import { nested } from './json'

export const object: ConsoleKind = {
  ...nested,
  types: ['object'],
  operators: { first: ['isnull', 'notnull', 'icontains'], others: true },
}
