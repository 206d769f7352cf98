import { expect, test } from 'vitest'
import { isUnavailable, reasonOf } from './errors'
import { openPostgres } from './postgres'
import { connectOnce, named } from './postgres-connection'

const failureOf = (url: string, directUrl?: string) =>
  openPostgres({ url, directUrl, poolSize: 2 }).then(
    () => null,
    (error: unknown) => error,
  )
const AWAY = 'postgres://engine:canary@127.0.0.1:1/shop'

test('a server that refuses connections is named with its setting, and without the password', async () => {
  const failure = await failureOf(AWAY)
  expect(reasonOf(failure)).toMatch(/^DATABASE_URL \(127\.0\.0\.1:1\/shop\): connect ECONNREFUSED/)
  expect(reasonOf(failure)).not.toContain('canary')
  expect(isUnavailable(failure)).toBe(true)
})

test('of two addresses the one that fails is named', async () => {
  const failure = await failureOf('postgres://engine:canary@127.0.0.1:2/shop', AWAY)
  expect(reasonOf(failure)).toMatch(/^DATABASE_DIRECT_URL \(127\.0\.0\.1:1\/shop\): /)
})

test('a name with several addresses is named with what happened', async () => {
  const failure = await failureOf('postgres://engine:canary@localhost:1/shop')
  expect(reasonOf(failure)).toMatch(/^DATABASE_URL \(localhost:1\/shop\): .*ECONNREFUSED/)
})

test('a socket that is missing is a server that is away; a file that is missing is none', async () => {
  const url = 'postgres:///shop?host=/nowhere'
  const failure = await named('DATABASE_URL', url, connectOnce(url)).catch((error) => error)
  expect(reasonOf(failure)).toMatch(/^DATABASE_URL \(\/nowhere\/shop\): connect ENOENT/)
  expect(isUnavailable(failure)).toBe(true)
  const file = Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' })
  expect(isUnavailable(file)).toBe(false)
})
