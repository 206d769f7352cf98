import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { GET as readMe } from '@/app/api/users/me/route'
import * as mine from '@/app/api/users/me/sessions/route'
import { endOtherSessions } from '@/lib/auth/session-store'
import { encodeSession, type SessionClaims } from '@/lib/auth/session-token'
import { sessions, users } from '@/lib/db/schema'
import { Browser } from '@/lib/testing/browser'
import { updateUser } from '@/lib/users/store'
import { browserWith, readOlder, upgraded } from './testing/load-older'

const older = readOlder('2026-11-22')
const ada = older.rows.users?.find(({ email }) => email === 'ada@example.com')
const ADA_ID = String(ada?.id)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.parse(older.madeAt) + 60_000)
})
afterEach(() => void vi.useRealTimers())

const statusOf = async (browser: Browser) =>
  (await browser.call(readMe, { path: '/api/users/me' })).status

/** A cookie of a sign-in at this time, as a version without rows made it. */
const cookieOf = (since: number) =>
  encodeSession({ sub: ADA_ID, version: 1, since } as SessionClaims, {
    current: older.secret,
    previous: null,
  })

describe('a session of an older version that was not used since the upgrade', () => {
  test('ends when its user ends all others', async () => {
    const deps = await upgraded(older)
    const here = new Browser(deps)
    await here.signIn('ada@example.com', older.password)
    const path = '/api/users/me/sessions'
    expect((await here.call(mine.DELETE, { method: 'DELETE', path })).status).toBe(200)
    const there = browserWith(deps, older.session)
    expect([await statusOf(here), await statusOf(there), await statusOf(there)]).toEqual([
      200, 401, 401,
    ])
    expect((await here.call(mine.GET, { path })).body.data).toMatchObject([{ current: true }])
    const again = await here.call(mine.DELETE, { method: 'DELETE', path })
    expect(again.body.data).toEqual([{ ended: 0 }])
  })

  test('does not end by that when it begins later', async () => {
    const deps = await upgraded(older)
    await endOtherSessions(deps.db, ADA_ID, crypto.randomUUID())
    const epoch = sql<number>`floor(extract(epoch from now()))::int`
    const [row] = await deps.db.select({ epoch }).from(users).limit(1)
    const signedInAt = async (seconds: number) => browserWith(deps, await cookieOf(seconds))
    const time = Number(row?.epoch)
    expect(await statusOf(await signedInAt(time - 60))).toBe(401)
    expect(await statusOf(await signedInAt(time + 60))).toBe(200)
  })

  test('ends with the account', async () => {
    const deps = await upgraded(older)
    await deps.db.delete(users).where(eq(users.id, ADA_ID))
    expect(await statusOf(browserWith(deps, older.session))).toBe(401)
  })

  test('that ended by a change of the account is in no list', async () => {
    const deps = await upgraded(older)
    await updateUser(deps.db, ADA_ID, {}, { endSessions: true })
    expect(await statusOf(browserWith(deps, older.session))).toBe(401)
    expect(await deps.db.select().from(sessions)).toEqual([])
  })
})
