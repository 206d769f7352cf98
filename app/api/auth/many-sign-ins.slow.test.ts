import { expect, test } from 'vitest'
import { users } from '@/lib/db/schema'
import { Browser } from '@/lib/testing/browser'
import { freshDeps } from '@/lib/testing/deps'
import { hashPassword } from '@/lib/testing/password'

const deps = freshDeps()
const email = 'ann@example.com'
const password = 'correct horse battery'

test('right passwords sent 200 at a time from one address are all welcome', async () => {
  const passwordHash = await hashPassword(password)
  await deps.db.insert(users).values({ email, passwordHash, roles: ['ADMIN'], status: 'ACTIVATED' })
  const signIn = async () => {
    const browser = new Browser(deps, { address: '192.0.2.1' })
    return (await browser.signIn(email, password)).status
  }
  const statuses = await Promise.all(Array.from({ length: 200 }, signIn))
  expect(statuses).toEqual(Array(200).fill(200))
  expect(await signIn()).toBe(200)
})
