import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { apiKeys, totpFactors, users } from '@/lib/db/schema'
import { rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { freshDeps } from '@/lib/testing/deps'
import { testKey } from '@/lib/testing/request'
import { writeUses } from './credential-uses'
import { actorBySession, currentActor, identify } from './load-actor'
import { sessionCookie } from './session-cookie'
import { startSession } from './session-store'
import { encodeSession, newSession } from './session-token'

const deps = freshDeps()
const authenticate = (key: string, db = deps.db) =>
  currentActor({ headers: new Headers({ authorization: `Bearer ${key}` }) }, { ...deps, db })

test('a key is accepted when its use cannot be noted', async () => {
  const key = await testKey(deps, ['ADMIN'])
  const readOnly = deps.db.transaction(
    async (tx) => {
      const db = tx as unknown as Deps['db']
      expect(await authenticate(key, db)).toMatchObject({ type: 'api_key', roles: ['ADMIN'] })
      await writeUses({ ...deps, db })
    },
    { accessMode: 'read only' },
  )
  await readOnly.catch(() => {}) // the note failed in it
  expect(await authenticate(key)).toMatchObject({ roles: ['ADMIN'] })
})

test('a key that only begins like another one is refused', async () => {
  const key = await testKey(deps, ['ADMIN'])
  const other = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A')
  await expect(authenticate(other)).rejects.toMatchObject({ code: 'unauthenticated' })
  expect(await authenticate(key)).toMatchObject({ roles: ['ADMIN'] })
})

describe('a session whose row is still there', () => {
  const id = crypto.randomUUID()
  const claimsOf = async () => {
    const status = 'ACTIVATED' as const
    await deps.db.insert(users).values({ id, email: 'ann@example.com', roles: ['VIEWER'], status })
    const visitor = { strong: false, userAgent: null, address: null }
    return newSession(await startSession(deps.db, { user: { id, sessionVersion: 1 }, ...visitor }))
  }
  const begin = async () => {
    const claims = await claimsOf()
    return () => actorBySession(deps, claims, null)
  }

  test('is that of its user', async () => {
    const actor = await begin()
    expect(await actor()).toMatchObject({ type: 'user', userId: id, roles: ['VIEWER'] })
  })

  test.each<[string, () => Promise<unknown>]>([
    ['the user is disabled', () => deps.db.update(users).set({ status: 'DISABLED' })],
    ['the sessions of the user have ended', () => deps.db.update(users).set({ sessionVersion: 2 })],
    [
      'the user has a second factor that it was begun without',
      () => deps.db.insert(totpFactors).values({ userId: id, secret: 'sealed', lastStep: 0 }),
    ],
  ])('ends when %s', async (_, change) => {
    const actor = await begin()
    await actor()
    await change()
    await expect.poll(actor).toBeNull()
  })

  test('ends when its longest time is over, for who was identified before, too', async () => {
    const { settings } = deps
    const since = Date.now() / 1000 - settings.SESSION_MAX_DAYS * 86_400 + 1
    const claims = { ...(await claimsOf()), since }
    const token = await encodeSession(claims, deps.secret)
    const cookie = sessionCookie(token, settings).split(';')[0] ?? ''
    const caller = await identify({ headers: new Headers({ cookie }) }, deps)
    expect(await caller()).toMatchObject({ userId: id })
    await expect.poll(caller).toBeNull()
  })
})

test('the last uses of several keys are written together', async () => {
  const keys = await Promise.all(['a', 'b', 'c'].map(() => testKey(deps, ['ADMIN'])))
  for (const key of keys) await authenticate(key)
  const times = () => deps.db.select({ usedAt: apiKeys.lastUsedAt }).from(apiKeys)
  expect(await times()).toEqual([{ usedAt: null }, { usedAt: null }, { usedAt: null }])
  await writeUses(deps)
  const versions = sql`select distinct xmin::text from engine.api_keys`
  expect(await rows(deps.db, versions)).toHaveLength(1)
  expect((await times()).every(({ usedAt }) => usedAt instanceof Date)).toBe(true)
})
