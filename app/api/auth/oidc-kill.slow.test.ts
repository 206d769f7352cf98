import { afterAll, expect, test } from 'vitest'
import { KillableEngine } from '@/app/api/plugins/testing/killable-engine'
import { killRounds } from '@/lib/testing/kills'
import { settingsOf, startProvider } from './testing/at-provider'

const KILLS = killRounds(2, 60)
const provider = await startProvider({ issueRefreshToken: async () => true })
afterAll(() => provider.close())

let ms = 0
const engine = new KillableEngine(
  'sign in by a provider',
  async () => {
    const answer = await returning('first')
    const startedAt = performance.now()
    await engine.succeed(answer)
    ms = performance.now() - startedAt
  },
  {
    settings: async () =>
      settingsOf(provider, {
        NEW_USERS: 'VIEWER',
        ROLES_MAP: '{"staff":"EDITOR"}',
        ROLES_SOURCE: 'provider',
      }),
  },
)

/** The command by which a person who has signed in at the provider comes back. */
async function returning(sub: string) {
  const person = { sub, email: `${sub}@example.com`, email_verified: true, groups: ['staff'] }
  provider.people = [person]
  await engine.sql('delete from engine.rate_limits')
  const { data } = await engine.succeed({ name: 'begin at provider' })
  const { location, cookie } = data[0] as { location: string; cookie: string }
  const { search } = new URL(await provider.signIn(location, sub))
  return { name: 'return from provider', search, cookie } as const
}

const stateOf = async (sub: string) => {
  const of = `from engine.users u where email = '${sub}@example.com'`
  const [state] = await engine.sql(`select
    (select count(*)::int ${of}) as users,
    (select count(*)::int from engine.external_identities where subject = '${sub}') as links,
    (select count(*)::int from engine.sessions where user_id = (select id ${of})) as sessions,
    (select count(*)::int from engine.provider_sessions p join engine.sessions s on s.id = p.session_id
      where s.user_id = (select id ${of})) as kept,
    (select count(*)::int from engine.audit_log where action = 'users.sign-in' and actor_name = '${sub}@example.com') as noted`)
  return state
}

const NOTHING = { users: 0, links: 0, sessions: 0, kept: 0, noted: 0 }
const SIGNED_IN = { users: 1, links: 1, sessions: 1, kept: 1, noted: 1 }

test(`a process that is killed between the code and the session, ${KILLS} times, has made both the account and its session, or none`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const sub = `person-${kill}`
    const answer = await returning(sub)
    const hasSucceeded = await engine.killDuring(answer, ms * 1.2)
    const after = await stateOf(sub)
    expect(after).toEqual(hasSucceeded || (after as typeof NOTHING).users ? SIGNED_IN : NOTHING)
    // The same answer signs in once in all.
    const again = await engine.succeed(answer)
    expect(['/', '/login?error=OidcExpired']).toContain(again.data[0]?.location)
    const isEntered = again.data[0]?.location === '/'
    expect(await stateOf(sub)).toEqual(isEntered ? SIGNED_IN : after)
    if (isEntered) expect(after).toEqual(NOTHING)
    expect((await engine.succeed(await returning(sub))).data[0]?.location).toBe('/')
  }
}, 3_600_000)
