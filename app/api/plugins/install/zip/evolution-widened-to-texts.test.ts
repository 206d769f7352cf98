import { describe } from 'vitest'
import { integer, text } from '../../testing/versions'
import { testWidenings } from '../../testing/widenings'

describe('a new version', () => {
  testWidenings([
    ['a number to a text', integer('v'), 12, text('v'), '12', 'text'],
    [
      'a longer text',
      text('v', { maxLength: 3 }),
      'abc',
      text('v', { maxLength: 30 }),
      'abc',
      'text',
    ],
    ['a boolean to a text', { name: 'v', type: 'boolean' }, true, text('v'), 'true', 'text'],
    ['a text to JSON', text('v'), 'abc', { name: 'v', type: 'json' }, 'abc', 'jsonb'],
  ])
})
