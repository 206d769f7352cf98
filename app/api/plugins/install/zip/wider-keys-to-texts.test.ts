import { describe } from 'vitest'
import { testWiderKeys } from '../../testing/wider-keys'

describe('a key that widens', () => {
  testWiderKeys([
    ['integer to text', { type: 'integer' }, { type: 'string', pk: 'string' }, 'text!', '1'],
    [
      'a given number to a text',
      { strategy: 'Fixed' },
      { strategy: 'Fixed', pk: 'string' },
      'text!',
      '1',
    ],
  ])
})
