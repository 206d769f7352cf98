import { describe } from 'vitest'
import { testWiderKeys } from '../../testing/wider-keys'

describe('a key that widens', () => {
  testWiderKeys([
    ['a counter to a counter of texts', {}, { pk: 'string' }, 'text!', '1'],
    ['a counter to a UUID', {}, { pk: 'string', strategy: 'UUID' }, 'text!', '1'],
  ])
})
