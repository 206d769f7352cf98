import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { auditLog } from '@/lib/db/schema'
import { ANN, at, deps, guess, PASSWORD, times } from './testing/guesses'

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
