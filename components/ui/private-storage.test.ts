// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { clearPrivate, keepPrivateFor, readPrivate, writePrivate } from './private-storage'

beforeEach(() => {
  window.localStorage.clear()
  window.localStorage.setItem('theme', 'dark')
  keepPrivateFor('ann')
})

test('keeps texts for one person, until that person signs out', () => {
  writePrivate('list', 'sort=name:asc and more')
  keepPrivateFor('ann')
  expect(readPrivate('list')).toBe('sort=name:asc and more')
  clearPrivate()
  expect(readPrivate('list')).toBeNull()
  expect({ ...window.localStorage }).toEqual({ theme: 'dark' })
})

test('keeps nothing of one person for another', () => {
  writePrivate('list', 'secret')
  keepPrivateFor('bob')
  expect(readPrivate('list')).toBeNull()
  expect(window.localStorage.getItem('theme')).toBe('dark')
})

test('removes a text, and one that is too long', () => {
  writePrivate('list', 'a')
  writePrivate('list', null)
  expect(readPrivate('list')).toBeNull()
  writePrivate('list', 'a')
  writePrivate('list', 'x'.repeat(32_001))
  expect(readPrivate('list')).toBeNull()
})

test('keeps the 200 latest', () => {
  window.localStorage.setItem('private:ancient', '12 a')
  for (let at = 0; at < 200; at++) writePrivate(`list ${at}`, 'a')
  expect(readPrivate('ancient')).toBeNull()
  expect(readPrivate('list 0')).toBe('a')
  expect(window.localStorage.length).toBe(202)
})
