import { describe } from 'vitest'
import { testContradictions } from '../../testing/contradictions'
import { integer, text } from '../../testing/versions'

describe('a new version', () => {
  testContradictions([
    ['a narrower number', text('v'), 'twelve', integer('v')],
    ['a shorter text', text('v'), 'abcdef', text('v', { maxLength: 3 })],
    ['a lower maximum', integer('v'), 12, integer('v', { max: 10 })],
    ['a smaller list of values', text('v'), 'c', text('v', { enum: ['a', 'b'] })],
  ])
})
