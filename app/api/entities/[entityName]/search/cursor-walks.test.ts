import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import type { JsonObject } from '@/lib/values/json'
import { ask, by, COUNT, walk } from './testing/walks'

test.each([
  ['the key', by()],
  ['the key, descending', by('id desc')],
  ['a text', by('name')],
  ['a text, descending', by('name desc')],
  ['a number that may be missing', by('age')],
  ['a number that may be missing, descending', by('age desc')],
  ['mixed directions', by('age desc', 'name', 'seen desc')],
  ['few values', by('active', 'score desc')],
  ['an instant, the key the other way', by('seen', 'id desc')],
  ['an undeclared field', by('mood')],
  ['an undeclared field, descending', by('mood desc', 'name')],
])('walking by %s is the unpaged order', async (_, sort) => {
  const whole = (await ask({ sort, pagination: { size: COUNT } })).body.data
  expect(whole).toHaveLength(COUNT)
  expect(await walk({ sort }, 83)).toEqual(whole)
})

test('an undeclared field is ordered by its numbers, then by texts, then nothing', async () => {
  const { data } = (await ask({ sort: by('mood'), pagination: { size: COUNT } })).body
  const moods: unknown[] = data.map(({ mood = null }: JsonObject) => mood)
  const different = moods.filter((mood, at) => !isDeepStrictEqual(mood, moods[at - 1]))
  expect(different).toEqual([1.5, 5, { a: 1 }, '5', 'only to make the name known', null])
})
