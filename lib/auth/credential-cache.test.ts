import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { apiKeys, secondFactorRoles, sessions, totpFactors, users } from '@/lib/db/schema'
import { freshDeps, testsThroughPooler } from '@/lib/testing/deps'
import { CredentialCache } from './credential-cache'
import { endSession, startSession } from './session-store'

const deps = freshDeps()

// Through a pooler, what a connection changes reaches this process like what others change: see credentials-across-processes.
const hearsItself = !testsThroughPooler()

/** A cache that listens; `find` returns how often it loaded. */
function counted() {
  const cache = new CredentialCache(deps.bus)
  let loads = 0
  const find = (load: () => Promise<unknown> = async () => {}, expiresInMs: number | null = null) =>
    cache.find('a', async () => {
      await load()
      return { value: ++loads, expiresInMs }
    })
  /** Messages about earlier changes may come again, so it has several attempts. */
  const isKeptOver = async (change: () => Promise<unknown>) => {
    const before = await find()
    await change()
    return (await find()) === before
  }
  return { find, isKeptOver }
}

describe('a credential in memory', () => {
  test('is loaded once', async () => {
    const { isKeptOver } = counted()
    await expect.poll(() => isKeptOver(async () => {})).toBe(true)
  })

  test('is loaded once for those who ask at once, and again for those whose first one failed', async () => {
    const { find } = counted()
    await expect.poll(async () => new Set(await Promise.all([find(), find(), find()])).size).toBe(1)
    const cache = new CredentialCache(deps.bus)
    const failing = cache.find('a', () => Promise.reject(new Error('given up')))
    const other = cache.find('a', async () => ({ value: 'found', expiresInMs: null }))
    await expect(failing).rejects.toThrow('given up')
    expect(await other).toBe('found')
  })

  test.runIf(hearsItself).each([
    ['keys', () => deps.db.update(apiKeys).set({ revokedAt: new Date() })],
    ['roles of keys', () => deps.db.update(apiKeys).set({ roles: ['VIEWER'] })],
    ['owners of keys', () => deps.db.update(apiKeys).set({ ownerId: crypto.randomUUID() })],
    ['users', () => deps.db.update(users).set({ roles: ['VIEWER'] })],
    ['sessions', () => deps.db.update(users).set({ sessionVersion: 7 })],
    ['deleted users', () => deps.db.delete(users)],
    [
      'policies',
      () => deps.db.execute(sql`insert into engine.policies select * from engine.policies`),
    ],
  ])('is dropped as soon as a change of %s has resolved', async (_, change) => {
    const { isKeptOver } = counted()
    expect(await isKeptOver(change)).toBe(false)
  })

  test.runIf(hearsItself)('is dropped by what decides about sessions', async () => {
    const { isKeptOver } = counted()
    const id = crypto.randomUUID()
    const status = 'ACTIVATED' as const
    const user = { id, email: 'ann@example.com', roles: ['ADMIN'], status }
    await deps.db.insert(users).values(user)
    const visitor = { strong: false, userAgent: null, address: null }
    const session = await startSession(deps.db, { user: { id, sessionVersion: 1 }, ...visitor })
    const totp = { userId: id, secret: 'sealed', lastStep: 0 }
    for (const change of [
      () => deps.db.update(sessions).set({ strong: true }),
      () => deps.db.insert(totpFactors).values(totp),
      () => deps.db.delete(totpFactors),
      () => deps.db.insert(secondFactorRoles).values({ role: 'ADMIN' }),
      () => deps.db.delete(secondFactorRoles),
      () => endSession(deps.db, id, session.id),
    ])
      expect(await isKeptOver(change)).toBe(false)
    await expect.poll(() => isKeptOver(() => endSession(deps.db, id, session.id))).toBe(true)
  })

  test('stays when what changes grants nothing', async () => {
    const { isKeptOver } = counted()
    const change = async () => {
      await deps.db.update(users).set({ lastSignInAt: new Date() })
      await deps.db.update(apiKeys).set({ lastUsedAt: new Date() })
      await deps.db.update(sessions).set({ lastSeenAt: new Date() })
    }
    await expect.poll(() => isKeptOver(change)).toBe(true)
  })

  test('is dropped by a commit alone', async () => {
    const { isKeptOver } = counted()
    const change = (end: () => void) => () =>
      deps.db
        .transaction(async (tx) => {
          await tx.update(users).set({ roles: [] })
          end()
        })
        .catch(() => {})
    expect(await isKeptOver(change(() => {}))).toBe(false)
    const rollBack = () => {
      throw new Error('rolled back')
    }
    await expect.poll(() => isKeptOver(change(rollBack))).toBe(true)
  })

  test.runIf(hearsItself)('is not kept when it changes while it is loaded', async () => {
    const { find } = counted()
    expect(await find(() => deps.db.update(users).set({ roles: [] }))).toBe(1)
    expect(await find()).toBe(2)
  })

  test('is not used beyond its own expiry', async () => {
    const { find } = counted()
    expect([await find(undefined, 0), await find(undefined, 0)]).toEqual([1, 2])
  })

  test('is not kept when it was not found', async () => {
    const cache = new CredentialCache(deps.bus)
    expect(await cache.find('a', async () => null)).toBeNull()
    expect(await cache.find('a', async () => ({ value: 'found', expiresInMs: null }))).toBe('found')
  })

  test('is one of a bounded number', async () => {
    const cache = new CredentialCache(deps.bus)
    const load = async (key: string) =>
      cache.find(key, async () => ({ value: key, expiresInMs: null }))
    const fill = async () => {
      await load('first')
      for (let n = 0; n < 2_000; n++) await load(`k${n}`)
      return cache.find('k1999', async () => null)
    }
    await expect.poll(fill).toBe('k1999')
    expect(await cache.find('first', async () => null)).toBeNull()
  })
})
