import { beforeEach } from 'vitest'
import { users } from '@/lib/db/schema'
import { Browser } from '@/lib/testing/browser'
import { freshDeps } from '@/lib/testing/deps'
import { hashPassword } from '@/lib/testing/password'

export const deps = freshDeps()

export const PASSWORD = 'correct horse battery'

export const HASH = await hashPassword(PASSWORD)

export const ANN = 'ann@example.com'

beforeEach(async () => {
  await deps.db
    .insert(users)
    .values({ email: ANN, passwordHash: HASH, roles: ['ADMIN'], status: 'ACTIVATED' })
})

export const at = (address: string) => new Browser(deps, { address })

export const times = (count: number) => Array.from({ length: count }, (_, n) => n)

export async function guess(browser: Browser, count: number): Promise<number[]> {
  const statuses: number[] = []
  for (const _ of times(count)) statuses.push((await browser.signIn(ANN, 'wrong')).status)
  return statuses
}
