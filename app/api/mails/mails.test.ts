import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { mails, users } from '@/lib/db/schema'
import { putInOutbox } from '@/lib/mail/outbox'
import type { MailStatus } from '@/lib/mail/status'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import * as webhook from '../webhooks/resend/route'
import * as retry from './[id]/retry/route'
import * as mail from './[id]/route'
import * as list from './route'

const deps = freshDeps(() => ({ RESEND_WEBHOOK_SECRET: SECRET }))
const SECRET = 'whsec_c2VjcmV0IGZvciB0ZXN0cyBvbmx5'
let id: string

beforeEach(async () => {
  deps.mail = { name: 'Nobody', send: async () => ({ outcome: 'accepted', providerId: null }) }
  const [user] = await deps.db
    .insert(users)
    .values({ email: 'ann@example.com', roles: ['X'], status: 'ACTIVATED' })
    .returning()
  const content = {
    from: 'a@example.com',
    to: 'ann@example.com',
    subject: 'S',
    html: '<p>H</p>',
    text: 'T',
  }
  await putInOutbox(deps.db, deps.secret, {
    template: 'activation',
    userId: user?.id ?? '',
    mail: content,
  })
  id = (await deps.db.select().from(mails))[0]?.id ?? ''
})

const stored = async () => (await deps.db.select().from(mails))[0]
const get = () => call(deps, mail.GET, { path: `/api/mails/${id}`, params: { id }, as: 'ADMIN' })
const post = (as = 'ADMIN') =>
  call(deps, retry.POST, { method: 'POST', path: `/api/mails/${id}/retry`, params: { id }, as })
const setStatus = (status: MailStatus, more: object = {}) =>
  deps.db
    .update(mails)
    .set({ status, ...more })
    .where(eq(mails.id, id))

describe('the outbox', () => {
  test('lists mails without their contents', async () => {
    const response = await call(deps, list.GET, {
      path: '/api/mails?filter=status:eq:queued',
      as: 'ADMIN',
    })
    expect(response.body.data).toEqual([
      {
        id,
        to: 'ann@example.com',
        subject: 'S',
        template: 'activation',
        status: 'queued',
        attempts: 0,
        error: null,
        createdAt: expect.any(String),
        sentAt: null,
        persistenceId: id,
      },
    ])
  })

  test('shows an administrator the content of a mail while it is kept', async () => {
    expect((await get()).body.data[0]).toMatchObject({
      content: { from: 'a@example.com', html: '<p>H</p>', text: 'T' },
    })
    await setStatus('sent', { body: null })
    expect((await get()).body.data[0]).toMatchObject({ status: 'sent', content: null })
  })

  test('shows a key the content of mails to those alone who may do no more than the key', async () => {
    const content = async () => {
      const as = { as: 'ADMIN', scopes: ['mail:manage'] }
      const seen = await call(deps, mail.GET, { path: `/api/mails/${id}`, params: { id }, ...as })
      const path = `/api/mails/${id}/retry`
      const again = { method: 'POST', path, params: { id }, ...as }
      const retried = await call(deps, retry.POST, again)
      expect([seen.status, retried.status]).toEqual([200, 200])
      return [seen.body.data[0].content, retried.body.data[0].content]
    }
    expect(await content()).toMatchObject([{ text: 'T' }, { text: 'T' }])
    await deps.db
      .update(users)
      .set({ roles: ['admin'] })
      .where(eq(users.email, 'ann@example.com'))
    expect(await content()).toEqual([null, null])
  })

  test('shows a key the link of a registration if the key may do what its user will', async () => {
    await deps.db.update(mails).set({ userId: null, template: 'registration' })
    const content = async (scopes: string[]) => {
      const as = { as: 'ADMIN', scopes: ['mail:manage', ...scopes] }
      const seen = await call(deps, mail.GET, { path: `/api/mails/${id}`, params: { id }, ...as })
      return seen.body.data[0].content
    }
    deps.settings = { ...deps.settings, REGISTRATION_ROLE: 'viewer' }
    expect(await content([])).toBeNull()
    expect(await content(['*:read', 'images:read'])).toMatchObject({ text: 'T' })
  })

  test('retries a failed mail by hand', async () => {
    await setStatus('failed', { attempts: 9, error: 'No', giveUpAt: new Date(0) })
    const response = await post()
    expect(response.body.data[0]).toMatchObject({ status: 'queued', attempts: 0, error: null })
    expect((await stored())?.giveUpAt.getTime()).toBeGreaterThan(Date.now())
  })

  test('keeps a mail without a provider: nothing is planned, and nothing sent by hand', async () => {
    await setStatus('queued', { attempts: 2 })
    expect((await get()).body.data[0].nextAttemptAt).toEqual(expect.any(String))
    deps.mail = null
    expect((await get()).body.data[0]).toMatchObject({ status: 'queued', nextAttemptAt: null })
    const refused = await post()
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('kept in')])
    expect(await stored()).toMatchObject({ status: 'queued', attempts: 2 })
  })

  test.each(['sent', 'delivered', 'bounced'] as const)(
    'does not send again what is %s',
    async (status) => {
      await setStatus(status)
      expect((await post()).status).toBe(409)
    },
  )

  test('cannot retry a mail whose content is gone', async () => {
    await setStatus('failed', { body: null })
    expect((await post()).status).toBe(409)
  })

  test('knows nothing of other mails', async () => {
    id = crypto.randomUUID()
    expect([(await get()).status, (await post()).status]).toEqual([404, 404])
    id = 'nothing'
    expect([(await get()).status, (await post()).status]).toEqual([404, 404])
  })
})

describe('a webhook of Resend', () => {
  const send = (event: unknown, { secret = SECRET, age = 0 } = {}) => {
    const body = JSON.stringify(event)
    const timestamp = String(Math.floor(Date.now() / 1000) - age)
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    const signature = createHmac('sha256', key)
      .update(`msg_1.${timestamp}.${body}`)
      .digest('base64')
    return call(deps, webhook.POST, {
      method: 'POST',
      path: '/api/webhooks/resend',
      body,
      headers: {
        'content-type': 'application/json',
        'svix-id': 'msg_1',
        'svix-timestamp': timestamp,
        'svix-signature': `v1,${signature}`,
      },
    })
  }
  const event = (type: string, more: object = {}) => ({
    type,
    created_at: new Date().toISOString(),
    data: { email_id: `resend-${id}`, tags: { outbox_id: id }, ...more },
  })

  test('turns sent into delivered', async () => {
    await setStatus('sent')
    expect((await send(event('email.delivered'))).status).toBe(200)
    expect(await stored()).toMatchObject({ status: 'delivered', body: null })
  })

  test('turns sent and delivered into bounced, with the reason, and that is the last word', async () => {
    await setStatus('sent')
    await send(event('email.delivered'))
    await send(event('email.bounced', { bounce: { message: 'Mailbox full', type: 'Transient' } }))
    await send(event('email.delivered'))
    expect(await stored()).toMatchObject({ status: 'bounced', error: 'Mailbox full' })
  })

  test('may arrive before the response that the mail was accepted', async () => {
    await setStatus('sending', { claimedUntil: new Date() })
    await send(event('email.delivered'))
    expect(await stored()).toMatchObject({ status: 'delivered', claimedUntil: null })
  })

  test.each([
    ['another event', { type: 'email.opened' }],
    [
      'another application’s mail',
      { data: { email_id: 'x', tags: { outbox_id: crypto.randomUUID() } } },
    ],
    ['tags of another kind', { data: { tags: { outbox_id: 'nothing' } } }],
    ['no tags', { data: { email_id: 'x' } }],
  ])('is passed over when it is %s', async (_, change) => {
    await setStatus('sent')
    expect((await send({ ...event('email.delivered'), ...change })).status).toBe(200)
    expect(await stored()).toMatchObject({ status: 'sent' })
  })

  test('needs a good and recent signature', async () => {
    await setStatus('sent')
    const delivered = event('email.delivered')
    expect((await send(delivered, { secret: 'whsec_YW5vdGhlciBzZWNyZXQ=' })).status).toBe(401)
    expect((await send(delivered, { age: 600 })).status).toBe(401)
    expect(await stored()).toMatchObject({ status: 'sent' })
  })

  test('is not there while no secret is set', async () => {
    deps.settings = { ...deps.settings, RESEND_WEBHOOK_SECRET: undefined }
    expect((await send(event('email.delivered'))).status).toBe(404)
  })
})
