import { describe } from 'vitest'
import { testRepairs } from '../../testing/repairs'
import { integer, text } from '../../testing/versions'

describe('a version that repairs the records that its schema contradicts (partial)', () => {
  testRepairs('partial', [
    [
      'a limit',
      { ...integer('tier'), meta: { max: 99 } },
      [{ id: 1, tier: 50 }],
      { ...integer('tier'), meta: { max: 9 } },
      [{ id: 1, tier: 5 }],
      [5],
    ],
    [
      'a type',
      text('tier'),
      [
        { id: 1, tier: 'one' },
        { id: 2, tier: '2' },
      ],
      integer('tier', { min: 1 }),
      [{ id: 1, tier: 1 }],
      [1, 2],
    ],
    [
      'a smaller type',
      integer('tier'),
      [{ id: 1, tier: 70_000 }],
      { name: 'tier', type: 'smallint' },
      [{ id: 1, tier: 7 }],
      [7],
    ],
  ])
})
