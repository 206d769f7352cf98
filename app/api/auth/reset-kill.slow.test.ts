import { expect, test } from 'vitest'
import { KillableEngine } from '@/app/api/plugins/testing/killable-engine'
import { killRounds } from '@/lib/testing/kills'
import { hashLinkToken } from '@/lib/users/letter'

const KILLS = killRounds(2, 50)
const EMAIL = 'ann@example.com'
const forgetting = { name: 'forget password', email: EMAIL } as const
const resetting = (token: string) =>
  ({ name: 'reset password', token, password: 'correct horse battery' }) as const

let times: { forget: number; reset: number }

const engine = new KillableEngine('reset password', async () => {
  await engine.sql(`insert into engine.users (email, password_hash, roles, status)
    values ('${EMAIL}', 'none', '{VIEWER}', 'ACTIVATED')`)
  const forget = await engine.timeOf(forgetting)
  await sendLink('first')
  times = { forget, reset: await engine.timeOf(resetting('first')) }
})

/** The state before a reset: signed in twice, with a link, and free to ask again. */
async function sendLink(token: string): Promise<void> {
  const user = `from engine.users where email = '${EMAIL}'`
  await engine.sql(`update engine.users set password_hash = 'none' where email = '${EMAIL}'`)
  await engine.sql('delete from engine.rate_limits')
  await engine.sql(`delete from engine.user_tokens`)
  await engine.sql(`insert into engine.user_tokens (user_id, kind, token_hash, expires_at)
    select id, 'reset', '${hashLinkToken(token)}', now() + interval '1 hour' ${user}`)
}

type State = { version: number; isReset: boolean; links: number; resets: number } & {
  asked: number
  mails: number
  isOther: boolean
}

async function stateOf(token: string): Promise<State> {
  const counted = (action: string) =>
    `(select count(*)::int from engine.audit_log where action = 'users.${action}')`
  const [state] = await engine.sql<State>(`select session_version as version,
    password_hash <> 'none' as "isReset", ${counted('reset-password')} as resets, ${counted('forget-password')} as asked,
    (select count(*)::int from engine.user_tokens) as links,
    (select count(*)::int from engine.mails where template = 'reset-password') as mails,
    exists (select from engine.user_tokens where token_hash <> '${hashLinkToken(token)}') as "isOther"
    from engine.users where email = '${EMAIL}'`)
  return state as State
}

test(`a process that is killed while it resets a password, ${KILLS} times, has set it and ended all sessions, or done nothing`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const token = `token ${kill}`
    await sendLink(token)
    const before = await stateOf(token)
    const hasSucceeded = await engine.killDuring(resetting(token), times.reset * 1.1)
    const after = await stateOf(token)
    if (hasSucceeded) expect(after.isReset).toBe(true)
    const { version, resets } = before
    const done = { isReset: true, links: 0, version: version + 1, resets: resets + 1 }
    expect(after).toEqual({ ...before, ...(after.isReset ? done : {}) })
  }
}, 3_600_000)

test(`a process that is killed when a reset is asked for, ${KILLS} times, has queued one mail with the link, or none`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const token = `link ${kill}`
    await sendLink(token)
    const before = await stateOf(token)
    const hasSucceeded = await engine.killDuring(forgetting, times.forget * 1.1)
    const after = await stateOf(token)
    if (hasSucceeded) expect(after.isOther).toBe(true)
    const done = { isOther: true, asked: before.asked + 1, mails: before.mails + 1 }
    expect(after).toEqual({ ...before, ...(after.isOther ? done : {}) })
  }
}, 3_600_000)
