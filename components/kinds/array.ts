import type { ConsoleKind } from './console-kind'
import { nested } from './json'

export const array: ConsoleKind = {
  ...nested,
  types: ['array'],
  operators: { first: ['contains', 'isnull', 'notnull'], others: true },
  labels: { contains: 'has' },
}
