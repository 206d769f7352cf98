import { build } from 'esbuild'
import { expect, test } from 'vitest'
import type { RawClient } from './guarded-client'

// drizzle knows a pool by the name of its class; without it the statements of a transaction would go
// to any connections.
test('is known as a pool in a build that shortens names', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { GuardedPool } from '@/lib/db/guarded-pool'`,
      resolveDir: process.cwd(),
      loader: 'ts',
    },
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    write: false,
  })
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')
  const { GuardedPool } = await import(`data:text/javascript;base64,${code}`)
  expect(GuardedPool.name).toContain('Pool')
})

test('refuses to begin a transaction that has no connection of its own', async () => {
  const { GuardedPool } = await import('./guarded-pool')
  const pool = new GuardedPool(
    { connect: () => Promise.reject(new Error()), waitingCount: 0 },
    {
      cancel: () => {},
      cancelGraceMs: 0,
      acquireMs: 0,
      maxWaiting: 1,
    },
  )
  await expect(pool.query('begin')).rejects.toThrow('a connection of its own')
})

test('gives a connection back once, however many reasons there were not to wait for it', async () => {
  const { GuardedPool } = await import('./guarded-pool')
  const { withBudget } = await import('./budget')
  let connected: (client: RawClient) => void = () => {}
  const connecting = new Promise<RawClient>((resolve) => {
    connected = resolve
  })
  const pool = new GuardedPool(
    { connect: () => connecting, waitingCount: 0 },
    { cancel: () => {}, cancelGraceMs: 0, acquireMs: 20, maxWaiting: 1 },
  )
  const client = new AbortController()
  const refused = withBudget({ signal: client.signal }, () => pool.connect()).catch(String)
  client.abort()
  expect(await refused).toContain('The client left')
  // The wait for a connection would have ended by itself by now.
  await withBudget({}, () => pool.connect()).catch(String)
  let releases = 0
  connected({ query: async () => null, release: () => releases++ })
  await connecting
  await new Promise(setImmediate)
  expect(releases).toBe(2) // of two requests, once each
})

test('releases its own check-out, not a later one of the same connection', async () => {
  const { GuardedClient } = await import('./guarded-client')
  const released: string[] = []
  const raw = { query: async () => null, release: () => void released.push('first') }
  const holder = new GuardedClient(raw, { cancel: () => {}, cancelGraceMs: 0 })
  raw.release = () => void released.push('second')
  holder.release()
  expect(released).toEqual(['first'])
})

test('waits for connections no longer than the work may wait in all', async () => {
  const { GuardedPool } = await import('./guarded-pool')
  const { withBudget } = await import('./budget')
  const pool = new GuardedPool(
    { connect: () => new Promise<RawClient>(() => {}), waitingCount: 0 },
    { cancel: () => {}, cancelGraceMs: 0, acquireMs: 2 ** 30, maxWaiting: 1 },
  )
  const refused = withBudget({ waitMs: 20 }, () => pool.connect())
  await expect(refused).rejects.toMatchObject({ code: 'unavailable' })
})

// drizzle sends `begin` before the `try` whose end releases the connection.
test.each([
  ['is not sent', true, undefined],
  ['fails', false, true],
])('a connection whose `begin` %s is released', async (_, hasLeft, destroys) => {
  const { GuardedPool } = await import('./guarded-pool')
  const { withBudget } = await import('./budget')
  const released: unknown[] = []
  const raw: RawClient = {
    query: () => Promise.reject(new Error('syntax error')),
    release: (destroy) => void released.push(destroy),
  }
  const options = { cancel: () => {}, cancelGraceMs: 0, acquireMs: 1_000, maxWaiting: 1 }
  const pool = new GuardedPool({ connect: async () => raw, waitingCount: 0 }, options)
  const left = new AbortController()
  await withBudget({ signal: left.signal }, async () => {
    const client = await pool.connect()
    if (hasLeft) left.abort()
    await expect(client.query('begin')).rejects.toThrow(
      hasLeft ? 'The client left' : 'syntax error',
    )
    await new Promise(setImmediate)
    expect(released).toEqual([destroys])
    client.release()
  })
  expect(released).toHaveLength(1)
})
