import { describe } from 'vitest'
import { testWiderKeys } from '../../testing/wider-keys'

describe('a key that widens', () => {
  testWiderKeys([
    ['smallint to integer', { type: 'smallint' }, { type: 'integer' }, 'bigint!', 1],
    ['smallint to bigint', { type: 'smallint' }, { type: 'bigint' }, 'bigint!', 1],
  ])
})
