import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { auditLog, mails } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { parseEnv } from '@/lib/env'
import { resendProvider } from '@/lib/mail-provider/resend'
import { smtpProvider } from '@/lib/mail-provider/smtp'
import { LOCALHOST } from '@/lib/testing/certificates'
import { freshDeps } from '@/lib/testing/deps'
import { startFakeResend } from '@/lib/testing/fake-resend'
import { type MailServer, startMailServer, USER } from '@/lib/testing/mail-server'
import { call, testKey } from '@/lib/testing/request'
import { POST } from './route'

const deps = freshDeps({ MAIL_BRAND_PRODUCT: 'Data' }) as Deps
let server: MailServer

beforeEach(async () => {
  server = await startMailServer()
  const login = `${encodeURIComponent(USER.user)}:${encodeURIComponent(USER.password)}`
  const SMTP_URL = `smtp://${login}@localhost:${server.port}`
  const settings = parseEnv({ SMTP_URL, MAIL_FROM: 'a@example.com' })
  if (settings.SMTP_URL) deps.mail = smtpProvider(settings.SMTP_URL, { ca: LOCALHOST.cert })
})
afterEach(() => server.close())

const send = (more = {}) =>
  call(deps, POST, { method: 'POST', path: '/api/settings/test-mail', as: 'ADMIN', ...more })

test('a test mail goes to the caller alone, beside the outbox, and the server’s answer is shown', async () => {
  const { status, body } = await send()
  expect(status).toBe(200)
  const [{ to }] = body.data
  expect(body.data).toEqual([
    { to, accepted: true, answer: 'localhost accepted the mail: 250: 2.0.0 Ok: queued as 4F3B2A' },
  ])
  expect(server.received).toEqual([expect.objectContaining({ to, tls: true })])
  expect(await deps.db.select().from(mails)).toEqual([])
  const logged = await deps.db.select().from(auditLog).where(eq(auditLog.action, 'mails.test'))
  expect(logged).toEqual([
    expect.objectContaining({
      objectType: 'user',
      details: { accepted: true, answer: body.data[0].answer },
    }),
  ])
})

test('what the server refuses is shown, and not tried again', async () => {
  server.behaviours.push({ at: 'sign-in', code: 535, text: `5.7.8 Not ${USER.password}` })
  expect((await send()).body.data).toEqual([
    expect.objectContaining({
      accepted: false,
      answer: 'localhost responded with 535: 5.7.8 Not …',
    }),
  ])
  server.behaviours.push({ at: 'recipient', code: 450, text: '4.2.0 Greylisted' })
  expect((await send()).body.data[0]).toMatchObject({ accepted: false })
  expect(server.received).toEqual([])
})

test('Resend is asked in the same way', async () => {
  const fake = await startFakeResend()
  deps.mail = resendProvider('re_test', { baseUrl: fake.url })
  fake.behaviours.push({ status: 403, message: 'Verify a domain' })
  expect((await send()).body.data[0]).toMatchObject({
    accepted: false,
    answer: 'Resend responded with 403: Verify a domain',
  })
  expect((await send()).body.data[0].answer).toMatch(/^Resend accepted the mail: resend-/)
  await fake.close()
})

test('without a provider it is refused, and so is a key without an account', async () => {
  expect((await send({ scopes: ['mail:manage'] })).status).toBe(403)
  deps.mail = null
  const { status, body } = await send()
  expect([status, body.error]).toEqual([409, expect.stringContaining('set SMTP_URL')])
  expect(server.received).toEqual([])
})

test('a user sends ten in ten minutes at most', async () => {
  const authorization = `Bearer ${await testKey(deps, ['ADMIN'])}`
  const again = () => send({ as: undefined, headers: { authorization } })
  for (let mail = 0; mail < 10; mail++) expect((await again()).status).toBe(200)
  expect((await again()).status).toBe(429)
  expect(server.received).toHaveLength(10)
})
