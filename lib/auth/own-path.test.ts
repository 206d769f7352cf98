import { expect, test } from 'vitest'
import { ownPath } from './own-path'

test.each(['/', '/entities/Book?q=1#top', '/users/7', '/a%20b'])('%s stays', (path) => {
  expect(ownPath(path)).toBe(path)
})

test.each([
  ...['https://evil.example', '//evil.example', '/\\evil.example', '\\\\evil.example'],
  ...['/\t/evil.example', '/\n/evil.example', '/.//evil.example', '/a/..//evil.example'],
  ...['javascript:alert(1)', 'users', '', undefined, ['/a', '/b']],
])('%j leads to the start page', (path) => {
  expect(ownPath(path)).toBe('/')
})
