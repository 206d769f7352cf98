import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { writeUses } from '@/lib/auth/credential-uses'
import { MAX_SESSIONS } from '@/lib/auth/session-store'
import { mails, sessions } from '@/lib/db/schema'
import { unsealMail } from '@/lib/mail/outbox'
import { Browser } from '@/lib/testing/browser'
import { sweepExpired } from '@/lib/users/sweep-expired'
import { ANN, addUser, deps, PASSWORD, send, signedIn, statusOf } from '../testing/second-factor'
import * as one from './[sessionId]/route'
import * as all from './route'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const list = async (browser: Browser) => (await send(browser, all.GET, 'GET')).body.data
const end = (browser: Browser, sessionId: string) =>
  send(browser, one.DELETE, 'DELETE', undefined, { sessionId })

beforeEach(() => addUser())

describe('sessions', () => {
  test('say where they began, and which is this one', async () => {
    await signedIn(ANN, { 'user-agent': FIREFOX })
    const here = new Browser(deps, { address: '192.0.2.7', headers: { 'user-agent': 'curl/8.5' } })
    await here.signIn(ANN, PASSWORD)
    expect(await list(here)).toMatchObject([
      { current: true, device: 'curl', address: '192.0.2.7' },
      { current: false, device: 'Firefox on Linux', address: '192.0.2.200' },
    ])
  })

  test('can be ended one by one', async () => {
    const [here, there] = [await signedIn(), await signedIn()]
    const [other] = (await list(here)).filter(({ current }: { current: boolean }) => !current)
    expect((await end(here, other.id)).status).toBe(200)
    expect([await statusOf(here), await statusOf(there)]).toEqual([200, 401])
    expect((await end(here, other.id)).status).toBe(404)
    expect((await end(here, 'x')).status).toBe(404)
  })

  test('of another user are not found', async () => {
    await addUser('bob@example.com')
    const [ann, bob] = [await signedIn(), await signedIn('bob@example.com')]
    const [{ id }] = await list(ann)
    expect((await end(bob, id)).status).toBe(404)
    expect(await statusOf(ann)).toBe(200)
  })

  test('can all be ended but this one', async () => {
    const [here, ...others] = [await signedIn(), await signedIn(), await signedIn()]
    const ended = await send(here, all.DELETE, 'DELETE')
    expect(ended.body.data).toEqual([{ ended: 2 }])
    expect(await Promise.all([here, ...others].map(statusOf))).toEqual([200, 401, 401])
  })

  test('signing out ends that of this browser alone', async () => {
    const [here, there] = [await signedIn(), await signedIn()]
    await here.signOut()
    expect([await statusOf(here), await statusOf(there)]).toEqual([401, 200])
  })

  test('note their use, once a minute', async () => {
    const browser = await signedIn()
    const seen = async () => (await deps.db.select().from(sessions))[0]?.lastSeenAt
    const first = await seen()
    await statusOf(browser)
    await writeUses(deps)
    expect(await seen()).toEqual(first)
    await deps.db.execute(sql`update engine.sessions set last_seen_at = now() - interval '1 hour'`)
    await statusOf(browser)
    await writeUses(deps)
    expect(Number(await seen())).toBeGreaterThanOrEqual(Number(first))
  })

  test('whose cookie has expired are neither listed nor kept', async () => {
    const browser = await signedIn()
    await signedIn()
    const aged = (days: number) =>
      deps.db.execute(sql`update engine.sessions set last_seen_at = now() - ${days} * interval '1 day'
        where id = (select id from engine.sessions order by created_at limit 1)`)
    const other = await signedIn()
    await aged(7.5)
    expect(await list(other)).toHaveLength(2)
    await aged(9)
    await sweepExpired(deps)
    expect(await statusOf(browser)).toBe(401)
    expect(await list(other)).toHaveLength(2)
  })

  test('are a hundred at most: the one that was unused for longest ends', async () => {
    const first = await signedIn()
    await deps.db.execute(sql`insert into engine.sessions (id, user_id, version, strong, last_seen_at)
      select gen_random_uuid(), user_id, version, strong, now() + n * interval '1 second'
      from engine.sessions, generate_series(1, ${MAX_SESSIONS - 1}) n`)
    const last = await signedIn()
    expect(await list(last)).toHaveLength(MAX_SESSIONS)
    expect(await statusOf(first)).toBe(401)
  })
})

describe('a sign-in from a new device', () => {
  const sent = async () => {
    const rows = await deps.db.select().from(mails).orderBy(mails.createdAt)
    return rows.map(({ id, to, template, body }) => ({
      ...{ to, template, text: unsealMail(deps.secret, id, body ?? '')?.text },
    }))
  }

  test('is mailed with device and address, once for a browser and not for the first one', async () => {
    const first = await signedIn()
    expect(await sent()).toEqual([])
    const second = new Browser(deps, { address: '192.0.2.9', headers: { 'user-agent': FIREFOX } })
    await second.signIn(ANN, PASSWORD)
    expect(await sent()).toMatchObject([
      {
        to: ANN,
        template: 'new-device',
        text: expect.stringMatching(/Firefox on Linux, from 192\.0\.2\.9/),
      },
    ])
    for (const browser of [first, second]) await browser.signIn(ANN, PASSWORD)
    expect(await sent()).toHaveLength(1)
  })

  test('is not mailed when it fails, and five times in an hour at most', async () => {
    await signedIn()
    await new Browser(deps).signIn(ANN, 'wrong horse')
    expect(await sent()).toHaveLength(0)
    for (let n = 1; n <= 7; n++) await signedIn()
    expect(await sent()).toHaveLength(5)
  })
})
