import { describe } from 'vitest'
import { integer } from '../../testing/versions'
import { testWidenings } from '../../testing/widenings'

describe('a new version', () => {
  testWidenings([
    ['an integer to a decimal', integer('v'), 12, { name: 'v', type: 'decimal' }, 12, 'numeric'],
    [
      'a smallint to a bigint',
      { name: 'v', type: 'smallint' },
      7,
      { name: 'v', type: 'bigint' },
      7,
      'bigint',
    ],
    [
      'a date to a datetime',
      { name: 'v', type: 'date' },
      '2024-02-29',
      { name: 'v', type: 'datetime' },
      '2024-02-29T00:00:00.000Z',
      'timestamp(3) with time zone',
    ],
  ])
})
