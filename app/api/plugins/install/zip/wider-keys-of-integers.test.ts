import { describe } from 'vitest'
import { testWiderKeys } from '../../testing/wider-keys'

describe('a key that widens', () => {
  testWiderKeys([
    ['integer to bigint', { type: 'integer' }, { type: 'bigint' }, 'bigint!', 1],
    ['integer to decimal', { type: 'integer' }, { type: 'decimal' }, 'numeric!', 1],
  ])
})
