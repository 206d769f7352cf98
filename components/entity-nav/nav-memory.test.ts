import { expect, test } from 'vitest'
import { navMemoryText, parseNavMemory, toggled } from './nav-memory'

test('what was kept comes back', () => {
  const memory = { pins: ['Größe', 'a"b'], closed: [''] }
  expect(parseNavMemory(decodeURIComponent(navMemoryText(memory)))).toEqual(memory)
})

test('whatever else the cookie holds counts as nothing', () => {
  for (const text of [undefined, '', 'null', '[]', '{', '{"pins":7}', '{"pins":[1,{}]}'])
    expect(parseNavMemory(text)).toEqual({ pins: [], closed: [] })
})

test('a cookie stays small: what was folded away first is forgotten first', () => {
  const names = Array.from({ length: 30 }, (_, i) => `${i} ${'ü'.repeat(60)}`)
  const text = navMemoryText({ pins: names.slice(0, 5), closed: names })
  expect(text.length).toBeLessThanOrEqual(3_000)
  const read = parseNavMemory(decodeURIComponent(text))
  expect(read.pins).toEqual(names.slice(0, 5))
  expect(read.closed).not.toContain(names[0])
})

test('a name is added and taken away', () => {
  expect(toggled(['a'], 'b')).toEqual(['a', 'b'])
  expect(toggled(['a', 'b'], 'a')).toEqual(['b'])
})
