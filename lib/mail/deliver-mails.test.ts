import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mails, users } from '@/lib/db/schema'
import { one } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { resendProvider } from '@/lib/mail-provider/resend'
import { freshDeps } from '@/lib/testing/deps'
import { type FakeResend, startFakeResend } from '@/lib/testing/fake-resend'
import { deliverMails } from './deliver-mails'
import { startMailWorker } from './mail-worker'
import { putInOutbox } from './outbox'
import { claimDue } from './store'

let fake: FakeResend
const deps = freshDeps() as Deps & { mail: NonNullable<Deps['mail']> }

beforeAll(async () => {
  fake = await startFakeResend()
})
afterAll(() => fake.close())
beforeEach(() => {
  deps.mail = resend()
  fake.delivered.clear()
  fake.requests.length = 0
  fake.behaviours.length = 0
})

const resend = (timeoutMs?: number) => resendProvider('re_test', { baseUrl: fake.url, timeoutMs })

async function queue(count = 1) {
  const email = `${crypto.randomUUID()}@example.com`
  const [user] = await deps.db
    .insert(users)
    .values({ email, roles: ['X'], status: 'ACTIVATED' })
    .returning()
  for (let n = 0; n < count; n++) {
    const mail = {
      from: 'Engine <a@example.com>',
      to: email,
      subject: 'S',
      html: '<p>H</p>',
      text: 'T',
    }
    await putInOutbox(deps.db, deps.secret, {
      template: 'activation',
      userId: user?.id ?? '',
      mail,
    })
  }
}
const stored = async () => one(await deps.db.select().from(mails))
const makeDue = () => deps.db.update(mails).set({ nextAttemptAt: sql`now() - interval '1 second'` })
const makeNotDue = () =>
  deps.db.update(mails).set({ nextAttemptAt: sql`now() + interval '1 hour'` })

/** How long after `startedAt` the mail is tried again, in milliseconds. */
const waitMs = async (startedAt: number) => (await stored()).nextAttemptAt.getTime() - startedAt

describe('a mail that the provider takes', () => {
  test('is sent, and its body dropped', async () => {
    await queue()
    expect(await deliverMails(deps)).toBe(1)
    const mail = await stored()
    expect(mail).toMatchObject({
      status: 'sent',
      attempts: 1,
      body: null,
      error: null,
      providerId: `resend-${mail.id}`,
    })
    expect(mail.sentAt).toBeInstanceOf(Date)
    expect(fake.requests).toEqual([{ key: mail.id, authorization: 'Bearer re_test' }])
    expect(fake.delivered.get(mail.id)?.mail).toEqual({
      ...{ from: 'Engine <a@example.com>', to: mail.to, subject: 'S', html: '<p>H</p>', text: 'T' },
      tags: [{ name: 'outbox_id', value: mail.id }],
    })
    expect(await deliverMails(deps)).toBe(0)
  })
})

describe('a mail that cannot be delivered now', () => {
  test.each([
    ['responds with 500', { status: 500, message: 'Broken' }, 'Resend responded with 500: Broken'],
    [
      'responds with 429',
      { status: 429, message: 'Slow down' },
      'Resend responded with 429: Slow down',
    ],
    [
      'is busy with it',
      { status: 409, name: 'concurrent_idempotent_requests' },
      'Resend responded with 409',
    ],
    ['hangs', 'hang', 'Resend did not respond within 0.2 seconds'],
    ['breaks the connection', 'accept and reset', 'Resend could not be reached'],
    ['takes it and hangs', 'accept and hang', 'Resend did not respond'],
  ] as const)('is tried again when the provider %s', async (_, behaviour, error) => {
    await queue()
    fake.behaviours.push(behaviour)
    const startedAt = Date.now()
    const isSilent = typeof behaviour === 'string' && behaviour.endsWith('hang')
    await deliverMails(isSilent ? { ...deps, mail: resend(200) } : deps)
    const waiting = await stored()
    expect(waiting).toMatchObject({
      status: 'queued',
      attempts: 1,
      error: expect.stringContaining(error),
    })
    expect(waiting.body).not.toBeNull()
    expect(await waitMs(startedAt)).toBeGreaterThan(3_000)
    await makeNotDue()
    expect(await deliverMails(deps)).toBe(0)
    await makeDue()
    await deliverMails(deps)
    expect(await stored()).toMatchObject({ status: 'sent', attempts: 2, error: null })
    expect(fake.delivered.size).toBe(1)
  })

  test('waits as long as the provider asks', async () => {
    await queue()
    fake.behaviours.push({ status: 429, retryAfter: '1800' })
    const startedAt = Date.now()
    await deliverMails(deps)
    expect(await waitMs(startedAt)).toBeGreaterThan(1_790_000)
  })

  test('waits until the date the provider names', async () => {
    await queue()
    const startedAt = Date.now()
    fake.behaviours.push({
      status: 503,
      retryAfter: new Date(startedAt + 1_800_000).toUTCString(),
    })
    await deliverMails(deps)
    expect(await waitMs(startedAt)).toBeGreaterThan(1_780_000)
  })

  test('is given up after 24 hours, and kept', async () => {
    await queue()
    await deps.db.update(mails).set({ giveUpAt: sql`now() - interval '1 second'` })
    await deliverMails(deps)
    const mail = await stored()
    expect(mail).toMatchObject({ status: 'failed', error: expect.stringContaining('24 hours') })
    expect(mail.body).not.toBeNull()
    expect(fake.requests).toEqual([])
  })
})

describe('a mail that never can be delivered', () => {
  test('fails with the provider’s words', async () => {
    await queue()
    fake.behaviours.push({
      status: 403,
      name: 'validation_error',
      message: 'Verify a domain first',
    })
    await deliverMails(deps)
    const mail = await stored()
    expect(mail).toMatchObject({
      status: 'failed',
      error: 'Resend responded with 403: Verify a domain first',
    })
    expect(mail.body).not.toBeNull()
    await makeDue()
    expect(await deliverMails(deps)).toBe(0)
  })

  test('fails when the secret it was encrypted with is gone', async () => {
    await queue()
    await deliverMails({
      ...deps,
      secret: { current: 'another secret of 32 characters!', previous: null },
    })
    expect(await stored()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('secret has changed'),
    })
    expect(fake.requests).toEqual([])
  })
})

describe('several workers', () => {
  test('never try one mail at the same time', async () => {
    await queue(30)
    const attempts = await Promise.all([1, 2, 3].map(() => deliverMails(deps)))
    expect(attempts.reduce((sum, count) => sum + count)).toBe(30)
    expect(fake.requests).toHaveLength(30)
    expect(fake.delivered.size).toBe(30)
  })

  test('claim as many mails as they ask for, though the planner expects a single one', async () => {
    await queue()
    await deps.db.execute(sql`analyze engine.mails`)
    await queue(4)
    expect(await claimDue(deps.db, 1)).toHaveLength(1)
  })

  test('take back the mail of one that died, when its claim is over', async () => {
    await queue()
    expect(await claimDue(deps.db, 10)).toHaveLength(1)
    expect(await deliverMails(deps)).toBe(0)
    await deps.db.update(mails).set({ claimedUntil: sql`now() - interval '1 second'` })
    expect(await deliverMails(deps)).toBe(1)
    expect(await stored()).toMatchObject({ status: 'sent', attempts: 2 })
  })
})

describe('the worker', () => {
  test('delivers an announced mail immediately', async () => {
    const stop = new AbortController()
    await startMailWorker(deps, stop.signal)
    await queue()
    await deps.bus.publish('engine_mail', '')
    await expect.poll(() => fake.delivered.size).toBe(1)
    stop.abort()
  })

  test('lets no mail wait for one that hangs', async () => {
    const stop = new AbortController()
    deps.mail = resend(120_000)
    await startMailWorker(deps, stop.signal)
    fake.behaviours.push('hang')
    await queue()
    await deps.bus.publish('engine_mail', '')
    await expect.poll(() => fake.requests.length).toBe(1)
    await queue(5)
    await deps.bus.publish('engine_mail', '')
    await expect.poll(() => fake.delivered.size).toBe(5)
    stop.abort()
  })

  test('leaves mails alone while there is no provider', async () => {
    await startMailWorker({ ...deps, mail: null }, new AbortController().signal)
    await queue()
    await deps.bus.publish('engine_mail', '')
    expect(await stored()).toMatchObject({ status: 'queued', attempts: 0 })
  })
})
