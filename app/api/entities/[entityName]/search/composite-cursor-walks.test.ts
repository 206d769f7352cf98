import { expect, test } from 'vitest'
import { ask, by, walk } from './testing/walks'

test.each([
  ['the key', by()],
  ['the key, descending', by('part desc')],
  ['a part of the key', by('code desc', 'size')],
  ['a field', by('size')],
])('composite keys: walking by %s is the unpaged order', async (_, sort) => {
  const whole = await ask({ sort, pagination: { size: 1000 } }, 'Pair')
  for (const size of [1, 2, 7]) expect(await walk({ sort }, size, 'Pair')).toEqual(whole.body.data)
})
