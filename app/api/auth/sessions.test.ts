import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { GET as readMe } from '@/app/api/users/me/route'
import { users } from '@/lib/db/schema'
import { Browser } from '@/lib/testing/browser'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { hashPassword } from '@/lib/testing/password'

const deps = currentDeps()
const PASSWORD = 'correct horse battery'
const passwordHash = await hashPassword(PASSWORD)
const DAY_MS = 24 * 60 * 60 * 1000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-01T12:00:00Z') })
})
afterEach(() => void vi.useRealTimers())

async function signedIn(settings: Record<string, string> = {}): Promise<Browser> {
  await testDeps(settings)
  await deps.db
    .insert(users)
    .values({ email: 'ann@example.com', passwordHash, roles: ['ADMIN'], status: 'ACTIVATED' })
  const browser = new Browser(deps)
  await browser.signIn('ann@example.com', PASSWORD)
  return browser
}

/** Uses the session every three days, as a page does that asks for it. */
async function keepUp(browser: Browser, days: number): Promise<void> {
  for (let day = 0; day < days; day += 3) {
    vi.setSystemTime(Date.now() + 3 * DAY_MS)
    await browser.session()
  }
}

const statusOf = async (browser: Browser) =>
  (await browser.call(readMe, { path: '/api/users/me' })).status

describe('a session', () => {
  test('that is kept in use lasts for 30 days, and no longer', async () => {
    const browser = await signedIn()
    await keepUp(browser, 27)
    expect(await statusOf(browser)).toBe(200)
    const stolen = browser.copy()
    vi.setSystemTime(Date.now() + 3 * DAY_MS + 1000)
    expect(await statusOf(browser)).toBe(401)
    expect(await stolen.session()).toEqual({})
  })

  test('that is not used ends after 7 days', async () => {
    const browser = await signedIn()
    vi.setSystemTime(Date.now() + 7 * DAY_MS + 1000)
    expect(await statusOf(browser)).toBe(401)
  })

  test('lasts as long as SESSION_MAX_DAYS says, also when that was changed since', async () => {
    const browser = await signedIn()
    await keepUp(browser, 9)
    const { settings } = deps
    deps.settings = { ...settings, SESSION_MAX_DAYS: 8 }
    expect(await statusOf(browser)).toBe(401)
    deps.settings = { ...settings, SESSION_MAX_DAYS: 10 }
    expect(await statusOf(browser)).toBe(200)
  })
})
