import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mails, users } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { parseEnv } from '@/lib/env'
import { createLog } from '@/lib/log'
import { smtpProvider } from '@/lib/mail-provider/smtp'
import { LOCALHOST } from '@/lib/testing/certificates'
import { freshDeps } from '@/lib/testing/deps'
import { type Behaviour, type MailServer, startMailServer, USER } from '@/lib/testing/mail-server'
import { deliverMails } from './deliver-mails'
import { putInOutbox } from './outbox'

/** The outbox on a real mail server: every mail arrives once, and its state is what is known of it. */

const deps = freshDeps() as Deps & { mail: NonNullable<Deps['mail']> }
let server: MailServer
const logged: string[] = []

beforeEach(async () => {
  server = await startMailServer()
  connectTo(server)
  deps.log = createLog('trace', { write: (line) => void logged.push(line) })
})
afterEach(() => server.close())

function connectTo({ port }: MailServer): void {
  const login = `${encodeURIComponent(USER.user)}:${encodeURIComponent(USER.password)}`
  const SMTP_URL = `smtp://${login}@localhost:${port}`
  const settings = parseEnv({ SMTP_URL, MAIL_FROM: 'a@example.com' })
  if (!settings.SMTP_URL) throw new Error('SMTP_URL is not set')
  // For a server that hangs, not for a machine that is busy.
  const limits = { greetingMs: 1000, silenceMs: 1000 }
  deps.mail = smtpProvider(settings.SMTP_URL, { ca: LOCALHOST.cert, ...limits })
}

async function queue(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const to = `${n}@example.com`
    const mail = { from: 'Engine <a@example.com>', to, subject: 'S', html: '<p>H</p>', text: 'T' }
    const values = { email: to, roles: ['X'], status: 'ACTIVATED' as const }
    const [user] = await deps.db.insert(users).values(values).returning()
    const queued = { template: 'activation', userId: user?.id ?? '', mail } as const
    await putInOutbox(deps.db, deps.secret, queued)
  }
}
const stored = () => deps.db.select().from(mails).orderBy(mails.to)
const states = async () => (await stored()).map(({ status, attempts }) => `${status} ${attempts}`)
/** As if every wait were over. */
const endWaits = () =>
  deps.db.update(mails).set({ nextAttemptAt: sql`now() - interval '1 second'` })

test('a mail is sent, its body dropped, and what the server said is kept', async () => {
  await queue(1)
  await deliverMails(deps)
  expect(await stored()).toEqual([
    expect.objectContaining({
      ...{ status: 'sent', attempts: 1, body: null, error: null },
      providerId: '250: 2.0.0 Ok: queued as 4F3B2A',
    }),
  ])
})

test('a server that greylists gets every mail at the second attempt', async () => {
  await server.close()
  server = await startMailServer({ greylists: true })
  connectTo(server)
  await queue(3)
  await deliverMails(deps)
  expect(await states()).toEqual(['queued 1', 'queued 1', 'queued 1'])
  for (const { error, nextAttemptAt } of await stored()) {
    expect(error).toBe('localhost responded with 450: 4.2.0 Greylisted, try again later')
    expect(nextAttemptAt.getTime()).toBeGreaterThan(Date.now())
  }
  await endWaits()
  await deliverMails(deps)
  expect(await states()).toEqual(['sent 2', 'sent 2', 'sent 2'])
  expect(server.received.map(({ to }) => to).sort()).toEqual((await stored()).map(({ to }) => to))
})

test('a mail that is refused for good has failed, with the reason; the others are sent', async () => {
  await queue(3)
  server.behaviours.push({ at: 'recipient', code: 550, text: '5.1.1 No such user' })
  await deliverMails(deps)
  const failed = (await stored()).filter(({ status }) => status === 'failed')
  expect(failed).toEqual([
    expect.objectContaining({ error: 'localhost responded with 550: 5.1.1 No such user' }),
  ])
  expect(failed[0]?.body).not.toBeNull()
  expect(server.received).toHaveLength(2)
  await endWaits()
  expect(await deliverMails(deps)).toBe(0)
})

const TROUBLE: Behaviour[] = [
  { at: 'greeting', does: 'cut' },
  { at: 'greeting', code: 421, text: '4.3.2 Too busy' },
  { at: 'sign-in', does: 'cut' },
  { at: 'sign-in', code: 454, text: '4.7.0 Try later' },
  { at: 'sender', does: 'hang' },
  { at: 'recipient', code: 450, text: '4.2.0 Try later' },
  { at: 'content', does: 'cut' },
  { at: 'content', does: 'hang' },
  { at: 'end', code: 451, text: '4.3.0 Try later' },
  { at: 'end', does: 'cut' },
  { at: 'end', does: 'hang' },
]

test('whatever goes wrong on the way, several workers bring every mail to its mailbox once', async () => {
  await queue(20)
  server.behaviours.push(...TROUBLE)
  const work = () => Promise.all([1, 2, 3].map(() => deliverMails(deps)))
  await work()
  for (const { status, error } of await stored())
    expect([status, error === null]).toEqual(status === 'sent' ? ['sent', true] : ['queued', false])
  // One trouble meets one attempt, so each round has fewer left.
  for (let round = 0; round < TROUBLE.length; round++) {
    await endWaits()
    await work()
  }
  expect(server.behaviours).toEqual([])
  const outbox = await stored()
  expect(new Set(outbox.map(({ status, body }) => `${status} ${body}`))).toEqual(
    new Set(['sent null']),
  )
  expect(server.mailbox().sort()).toEqual(outbox.map(({ id }) => id).sort())
  // The two whose last word was lost came again, under the same name.
  expect(server.received).toHaveLength(22)
})

test('neither the log nor the outbox has the password', async () => {
  await queue(2)
  const encoded = Buffer.from(`\0${USER.user}\0${USER.password}`).toString('base64')
  const text = `5.5.1 What is ${encoded} and ${USER.password}?`
  server.behaviours.push({ at: 'sign-in', code: 502, text }, { at: 'sender', does: 'cut' })
  await deliverMails(deps)
  const all = logged.join('\n') + JSON.stringify(await stored())
  expect(all).toContain('5.5.1 What is … and …?')
  expect(all).not.toContain(USER.password)
  expect(all).not.toContain(encoded)
})
