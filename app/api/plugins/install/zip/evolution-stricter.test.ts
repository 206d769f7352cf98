import { describe } from 'vitest'
import { testContradictions } from '../../testing/contradictions'
import { text } from '../../testing/versions'

describe('a new version', () => {
  testContradictions([
    ['a pattern', text('v'), 'abc', text('v', { pattern: '^[0-9]+$' })],
    ['a required value', text('v'), null, text('v', { required: true })],
    ['a unique value', text('v'), 'same', text('v', { unique: true })],
  ])
})
