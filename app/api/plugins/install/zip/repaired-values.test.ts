import { describe } from 'vitest'
import { testRepairs } from '../../testing/repairs'
import { text } from '../../testing/versions'

describe('a version that repairs the records that its schema contradicts (partial)', () => {
  testRepairs('partial', [
    [
      'a required value',
      text('tier'),
      [{ id: 1 }, { id: 2, tier: 'b' }],
      text('tier', { required: true }),
      [{ id: 1, tier: 'a' }],
      ['a', 'b'],
    ],
    [
      'a unique value',
      text('tier'),
      [
        { id: 1, tier: 'a' },
        { id: 2, tier: 'a' },
      ],
      text('tier', { unique: true }),
      [{ id: 2, tier: 'b' }],
      ['a', 'b'],
    ],
    [
      'a length',
      text('tier', { maxLength: 9 }),
      [{ id: 1, tier: 'long' }],
      text('tier', { maxLength: 2 }),
      [{ id: 1, tier: 'l' }],
      ['l'],
    ],
    [
      'a pattern',
      text('tier'),
      [{ id: 1, tier: 'x' }],
      text('tier', { pattern: '^[0-9]+$' }),
      [{ id: 1, tier: '7' }],
      ['7'],
    ],
  ])
})
