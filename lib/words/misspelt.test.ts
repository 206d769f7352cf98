import { expect, test } from 'vitest'
import { meantBy, withWordsReplaced, wordsThatMayBeWrong } from './misspelt'

test.each([
  ['one letter too many', 'Châteaux', 'chateau'],
  ['two in each other’s place', 'ruoge', 'rouge'],
  ['one too few', 'emrald', 'emerald'],
  ['a wrong one', 'istambul', 'istanbul'],
  ['a Greek one', 'λόγις', 'λογος'],
  ['a Russian one', 'москво', 'москва'],
  ['one too many of another script', 'ሰላምም', 'ሰላም'],
])('%s', (_, wrong, meant) => {
  const words = meantBy(wrong)
  expect(words).toContain(meant)
  expect(words).not.toContain(wrong.toLowerCase())
  expect(new Set(words).size).toBe(words.length)
})

test('words that must occur are replaced where they stand', () => {
  const typed = 'le "Ruoge niur" -niur 1923 abc1 x 東京大学'
  const words = wordsThatMayBeWrong(typed)
  expect(words).toEqual([
    { at: 4, text: 'Ruoge' },
    { at: 10, text: 'niur' },
  ])
  const replaced = words.map((word, at) => ({ word, by: ['rouge', 'noir'][at] ?? '' }))
  expect(withWordsReplaced(typed, replaced)).toBe('le "rouge noir" -niur 1923 abc1 x 東京大学')
})
