import { expect, test } from 'vitest'
import { labelFaults, NO_LABELS, toLabelChange } from '../label-change'

const pair = (key: string, value: string) => ({ id: key, key, value })

test('only what is entered is in the change', () => {
  expect(toLabelChange({ ...NO_LABELS, addTags: ['new'] })).toEqual({ addTags: ['new'] })
  const input = { ...NO_LABELS, pairs: [pair(' alt ', 'A boot'), pair('', '')], removeKeys: ['x'] }
  expect(toLabelChange(input)).toEqual({ setContext: { alt: 'A boot' }, unsetContext: ['x'] })
})

test('nothing, and half of something, is no change', () => {
  expect(toLabelChange(NO_LABELS)).toBeNull()
  expect(toLabelChange({ ...NO_LABELS, pairs: [pair('', '')] })).toBeNull()
  expect(toLabelChange({ ...NO_LABELS, addTags: ['new'], pairs: [pair('alt', '')] })).toBeNull()
})

test('what contradicts itself is said and is no change', () => {
  const tags = { ...NO_LABELS, addTags: ['a', 'b'], removeTags: ['c', 'b'] }
  expect(labelFaults(tags)).toEqual({ removeTags: '“b” is also added', removeKeys: null })
  expect(toLabelChange(tags)).toBeNull()
  const keys = { ...NO_LABELS, pairs: [pair('alt', 'A')], removeKeys: ['alt'] }
  expect(labelFaults(keys)).toEqual({ removeTags: null, removeKeys: '“alt” is also set' })
  expect(toLabelChange(keys)).toBeNull()
})
