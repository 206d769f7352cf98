import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { sessions, users } from '@/lib/db/schema'
import { finishSignInAtProvider } from '@/lib/oidc/finish-sign-in'
import { openCookie } from '@/lib/oidc/sealed-cookie'
import { freshDeps, testsOnPostgres } from '@/lib/testing/deps'
import { secondInstance } from '@/lib/testing/second-instance'
import {
  addUser,
  arrive,
  begin,
  linksIn,
  newBrowser,
  settingsOf,
  startProvider,
} from './testing/at-provider'

const provider = await startProvider()
afterAll(() => provider.close())
const deps = freshDeps(() => settingsOf(provider, { NEW_USERS: 'VIEWER' }))
const ANN = { sub: 'ann-1', email: 'ann@example.com', email_verified: true }
beforeEach(() => {
  provider.people = [ANN]
})

const VISITOR = { address: null, userAgent: null, device: null }

/** A sign-in that was started here, with its answer, to be finished anywhere. */
async function started(sub = 'ann-1') {
  const browser = newBrowser(deps)
  const { search } = new URL(await provider.signIn(await begin(browser), sub))
  const headers = new Headers({ cookie: browser.cookieHeader() })
  return { search, pending: await openCookie(deps, 'pending', headers) }
}

const finishAt = (at: typeof deps, answer: Awaited<ReturnType<typeof started>>) => {
  const [keycloak] = at.settings.OIDC
  if (!keycloak) throw new Error('There is no provider')
  return finishSignInAtProvider(at, keycloak, answer, VISITOR)
}

describe.runIf(testsOnPostgres())('two instances', () => {
  test('finish what the other began, each answer once', async () => {
    const { other, close } = await secondInstance(deps)
    expect(await finishAt(other, await started())).toHaveProperty('signedIn')
    const answer = await started()
    const both = await Promise.allSettled([finishAt(deps, answer), finishAt(other, answer)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await deps.db.select().from(sessions)).toHaveLength(2)
    await close()
  })

  test('make one account of the first sign-ins of one person', async () => {
    const { other, close } = await secondInstance(deps)
    const answers = [await started(), await started(), await started(), await started()]
    const all = answers.map((answer, n) => finishAt(n % 2 ? other : deps, answer))
    expect(await Promise.all(all)).toHaveLength(4)
    expect(await deps.db.select().from(users)).toHaveLength(1)
    expect(await linksIn(deps)).toHaveLength(1)
    await close()
  })
})

test('of two people with the email of one account, at the same time, one is linked', async () => {
  await addUser(deps, 'ann@example.com')
  provider.people = ['ann-1', 'ann-2'].map((sub) => ({ ...ANN, sub }))
  const answers = [await started('ann-1'), await started('ann-2')]
  const both = await Promise.allSettled(answers.map((answer) => finishAt(deps, answer)))
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await linksIn(deps)).toHaveLength(1)
  expect(await deps.db.select().from(sessions)).toHaveLength(1)
})

test('a sign-in that ends between the code and the session leaves nothing, and the next one is whole', async () => {
  await deps.db.execute(sql`
    create function engine.cut() returns trigger language plpgsql as $$ begin raise 'cut'; end $$`)
  await deps.db.execute(sql`
    create trigger cut before insert on engine.sessions for each row execute function engine.cut()`)
  await expect(finishAt(deps, await started())).rejects.toThrow()
  await deps.db.execute(sql`drop function engine.cut cascade`)
  for (const table of [users, sessions]) expect(await deps.db.select().from(table)).toEqual([])
  expect(await linksIn(deps)).toEqual([])
  const browser = newBrowser(deps)
  expect(await arrive(browser, await provider.signIn(await begin(browser), 'ann-1'))).toBe('/')
  expect(await deps.db.select().from(sessions)).toHaveLength(1)
})

test('an answer that the provider takes twice begins one session', async () => {
  const answer = await started()
  await finishAt(deps, answer)
  // The provider would refuse its code: another code with the same answer's cookie is as good as one that it forgot.
  const again = await started()
  const state = again.pending?.state ?? ''
  const pending = again.pending && { ...again.pending, id: answer.pending?.id ?? '', state }
  await expect(finishAt(deps, { ...again, pending })).rejects.toMatchObject({ code: 'OidcExpired' })
  expect(await deps.db.select().from(sessions)).toHaveLength(1)
})

test('a sign-in that was started asks the provider for one code, whatever is sent', async () => {
  const answer = await started()
  const search = answer.search.replace(/(?<=code=)[^&]+/, 'guess')
  const before = provider.asked.filter((path) => path === '/token').length
  for (let n = 1; n <= 3; n++)
    await expect(finishAt(deps, { ...answer, search })).rejects.toMatchObject({
      code: 'OidcExpired',
    })
  expect(provider.asked.filter((path) => path === '/token')).toHaveLength(before + 1)
})
