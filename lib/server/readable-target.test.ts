import { expect, test } from 'vitest'
import { readableTarget } from './create-server'

test.each([
  ['/api/users', '/api/users'],
  ['/a%20b/%C3%BC?x=%', '/a%20b/%C3%BC?x=%'],
  ['/%', '/%25'],
  ['/api/users/%zz?a=%20?b', '/api/users/%25zz?a=%20?b'],
  ['/api/%FF/%41', '/api/%25FF/%2541'],
  ['/%E0%A4%A', '/%25E0%25A4%25A'],
  ['http://other.example/api/users?a=b', '/api/users?a=b'],
  ['http://other.example', '/api'],
  ['*', '/api'],
  ['', '/api'],
])('the target %s is read as %s', (target, read) => {
  expect(readableTarget(target)).toBe(read)
})
