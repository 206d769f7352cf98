import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from '@/lib/auth/password'
import { auditLog, users } from '@/lib/db/schema'
import { Browser } from '@/lib/testing/browser'
import { freshDeps } from '@/lib/testing/deps'

const deps = freshDeps()
const PASSWORD = 'correct horse battery'
const HASH = await hashPassword(PASSWORD)
const ANN = 'ann@example.com'

beforeEach(async () => {
  await deps.db
    .insert(users)
    .values({ email: ANN, passwordHash: HASH, roles: ['ADMIN'], status: 'ACTIVATED' })
})

const at = (address: string) => new Browser(deps, { address })
const times = (count: number) => Array.from({ length: count }, (_, n) => n)

async function guess(browser: Browser, count: number): Promise<number[]> {
  const statuses: number[] = []
  for (const _ of times(count)) statuses.push((await browser.signIn(ANN, 'wrong')).status)
  return statuses
}

/** The statuses of so many browsers at one address that sign in at the same time. */
const together = (count: number, password: string) =>
  Promise.all(times(count).map(async () => (await at('192.0.2.1').signIn(ANN, password)).status))

const failuresNoted = async () => {
  const action = eq(auditLog.action, 'users.sign-in-failed')
  return (await deps.db.select().from(auditLog).where(action)).length
}

describe('wrong passwords', () => {
  test('of one account from one address are looked at ten times', async () => {
    expect(await guess(at('192.0.2.1'), 11)).toEqual([...Array(10).fill(401), 429])
    const response = await at('192.0.2.1').signIn(' Ann@example.com', PASSWORD)
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(14 * 60)
  })

  test('from one address do not lock out users at another', async () => {
    await guess(at('192.0.2.1'), 12)
    expect((await at('192.0.2.2').signIn(ANN, PASSWORD)).status).toBe(200)
  })

  test('from the address of a known device do not lock that device out', async () => {
    const owner = at('192.0.2.1')
    expect((await owner.signIn(ANN, PASSWORD)).status).toBe(200)
    await owner.signOut()
    await guess(at('192.0.2.1'), 10)
    for (const n of times(20)) await at('192.0.2.1').signIn(`user${n}@example.com`, 'wrong')
    expect((await at('192.0.2.1').signIn('other@example.com', PASSWORD)).status).toBe(429)
    expect((await owner.signIn(ANN, PASSWORD)).status).toBe(200)
  })

  test('from anywhere are looked at a hundred times, then only known devices sign in', async () => {
    const owner = at('192.0.2.250')
    await owner.signIn(ANN, PASSWORD)
    for (const n of times(10))
      expect(await guess(at(`192.0.2.${n}`), 10)).toEqual(Array(10).fill(401))
    const refused = await at('192.0.2.99').signIn(ANN, PASSWORD)
    expect(refused).toMatchObject({
      status: 429,
      body: { error: expect.stringContaining('a browser that you have signed in with before') },
    })
    expect((await owner.signIn(ANN, PASSWORD)).status).toBe(200)
  })

  test('on a known device are counted for that device, wherever it is', async () => {
    const owner = at('192.0.2.1')
    await owner.signIn(ANN, PASSWORD)
    expect(await guess(owner, 10)).toEqual(Array(10).fill(401))
    expect((await owner.copy('192.0.2.2').signIn(ANN, PASSWORD)).status).toBe(429)
    expect((await at('192.0.2.2').signIn(ANN, PASSWORD)).status).toBe(200)
  })

  test('of one account do not make use of a device that knows another', async () => {
    await deps.db.insert(users).values({
      ...{ email: 'eve@example.com', passwordHash: HASH, roles: ['VIEWER'], status: 'ACTIVATED' },
    })
    const eve = at('192.0.2.1')
    await eve.signIn('eve@example.com', PASSWORD)
    await guess(eve, 10)
    expect((await eve.signIn(ANN, PASSWORD)).status).toBe(429)
  })

  test('sent at the same time are not looked at more often', async () => {
    const statuses = await together(40, 'wrong')
    expect(statuses.sort()).toEqual([...Array(10).fill(401), ...Array(30).fill(429)])
    expect(await failuresNoted()).toBe(10)
  })
})

describe('right passwords', () => {
  test('mark the browser as known for a year, in a cookie that scripts cannot read', async () => {
    const { headers } = await at('192.0.2.1').signIn(ANN, PASSWORD)
    const cookie = headers.getSetCookie().find((text) => text.startsWith('engine.device='))
    expect(cookie).toMatch(/Path=\/api\/auth; HttpOnly; SameSite=Lax; Max-Age=31536000$/)
  })
})
