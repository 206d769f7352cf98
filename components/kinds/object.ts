import type { ConsoleKind } from './console-kind'
import { json } from './json'

export const object: ConsoleKind = {
  ...json,
  form: 'object',
  types: ['object'],
}
