import { expect, test } from 'vitest'
import { parseEnv } from '@/lib/env'
import { connectionsNeeded, describeShortage } from './connection-limit'

const POOLER = { DATABASE_URL: 'postgres://a/e', DATABASE_DIRECT_URL: 'postgres://b/e' }

test.each([
  [{}, 13],
  [{ DATABASE_POOL_SIZE: '20', WEB_CONCURRENCY: '4' }, 92],
  [{ ...POOLER, WEB_CONCURRENCY: '4' }, 12],
])('a server with %j needs %i connections', (settings, needed) => {
  expect(connectionsNeeded(parseEnv(settings))).toBe(needed)
})

test('a shortage is described by both numbers', () => {
  const text = describeShortage({ needed: 13, allowed: 2, limitedBy: 'role' })
  expect(text).toMatch(/allows 2 connections \(connection limit of the role\).* may need 13 /)
})
