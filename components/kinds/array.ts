import type { ConsoleKind } from './console-kind'
import { json } from './json'

export const array: ConsoleKind = {
  ...json,
  form: 'list',
  types: ['array'],
}
