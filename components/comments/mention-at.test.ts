import { expect, test } from 'vitest'
import { mentionAt, withMention } from './mention-at'

test.each([
  ['@', '@'.length, { start: 0, term: '' }],
  ['Ask @an', 7, { start: 4, term: 'an' }],
  ['Ask (@ann@ex', 12, { start: 5, term: 'ann@ex' }],
  ['Ask @ann and', 8, { start: 4, term: 'ann' }],
  ['Ask @ann and', 12, null],
  ['ann@example', 11, null],
  ['', 0, null],
])('what is typed in %j at %i is a mention or none', (text, caret, mention) => {
  expect(mentionAt(text, caret)).toEqual(mention)
})

test.each([
  ['Ask @an', 7, 'Ask @ann@x.org ', 15],
  ['Ask @an now', 7, 'Ask @ann@x.org now', 15],
])('%j is completed in its place', (text, at, completed, caret) => {
  const mention = mentionAt(text, at)
  expect(mention && withMention(text, mention, 'ann@x.org')).toEqual({ text: completed, caret })
})
