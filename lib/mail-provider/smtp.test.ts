import { afterEach, describe, expect, test } from 'vitest'
import { parseEnv, type SmtpServer } from '@/lib/env'
import { ELSEWHERE, LOCALHOST } from '@/lib/testing/certificates'
import { type MailServer, startMailServer, USER } from '@/lib/testing/mail-server'
import { smtpProvider } from './smtp'

const servers: MailServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function start(options: Parameters<typeof startMailServer>[0] = {}): Promise<MailServer> {
  const server = await startMailServer(options)
  servers.push(server)
  return server
}

const LOGIN = `${encodeURIComponent(USER.user)}:${encodeURIComponent(USER.password)}@`

function smtpUrl(url: string): SmtpServer {
  const { SMTP_URL } = parseEnv({ SMTP_URL: url, MAIL_FROM: 'a@example.com' })
  if (!SMTP_URL) throw new Error('SMTP_URL is not set')
  return SMTP_URL
}

const trusting = { ca: LOCALHOST.cert }
function by({ port }: MailServer, options = {}, url = `smtp://${LOGIN}localhost`) {
  return smtpProvider(smtpUrl(`${url}:${port}`), { ...trusting, ...options })
}

const MAIL = {
  from: 'Größe & Co <engine@example.com>',
  to: 'ann@example.com',
  subject: 'Schöne Grüße',
  html: '<p>Hello</p>',
  text: 'Hello\n.\nuntil the end',
}
const id = () => crypto.randomUUID()

describe('a mail server with TLS', () => {
  test.each([
    ['STARTTLS', `smtp://${LOGIN}localhost`, {}],
    ['TLS from the first byte', `smtps://${LOGIN}localhost`, { secure: true }],
    ['TLS, named by its address', `smtps://${LOGIN}127.0.0.1`, { secure: true }],
  ])('takes a mail by %s, as somebody who is signed in', async (_, url, options) => {
    const server = await start(options)
    const key = id()
    expect(await by(server, {}, url).send(MAIL, key)).toEqual({
      outcome: 'accepted',
      providerId: '250: 2.0.0 Ok: queued as 4F3B2A',
    })
    expect(server.received).toEqual([
      expect.objectContaining({ id: key, to: MAIL.to, tls: true, user: USER.user }),
    ])
    const source = server.received[0]?.source ?? ''
    expect(source).toMatch(/^Message-ID: <[\w-]+@example\.com>\r$/m)
    expect(source).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(source).toContain('text/plain')
    expect(source).toContain('Hello\r\n.\r\nuntil the end')
    expect(source).toContain('<p>Hello</p>')
    expect(source).toMatch(/^Subject: =\?UTF-8\?/m)
  })

  test.each([
    ['is signed by nobody we trust', {}, { ca: undefined }, /self-signed certificate/],
    ['is of another host', ELSEWHERE, { ca: ELSEWHERE.cert }, /localhost.* cert/i],
  ])('gets nothing when its certificate %s', async (_, certificate, options, reason) => {
    for (const [scheme, secure] of [
      ['smtp', false],
      ['smtps', true],
    ] as const) {
      const server = await start({ ...certificate, secure })
      const provider = by(server, options, `${scheme}://${LOGIN}localhost`)
      expect(await provider.send(MAIL, id())).toEqual({
        outcome: 'retry',
        error: expect.stringMatching(reason),
      })
      expect(server.received).toEqual([])
    }
  })

  test('is required: without STARTTLS nothing is sent, and no password', async () => {
    const server = await start({ disabledCommands: ['STARTTLS'] })
    server.behaviours.push({ at: 'sign-in', code: 535, text: 'seen' })
    expect(await by(server).send(MAIL, id())).toEqual({
      outcome: 'retry',
      error: expect.stringMatching(/^localhost did not begin TLS \(STARTTLS\)/),
    })
    expect([server.received, server.behaviours.length]).toEqual([[], 1])
  })

  test('is not asked for TLS with tls=off', async () => {
    const server = await start({ disabledCommands: ['STARTTLS'] })
    const provider = smtpProvider(smtpUrl(`smtp://${LOGIN}localhost:${server.port}?tls=off`))
    expect(await provider.send(MAIL, id())).toMatchObject({ outcome: 'accepted' })
    expect(server.received).toEqual([expect.objectContaining({ tls: false, user: USER.user })])
  })
})

describe('what the server answers', () => {
  test.each([
    ['greeting', 421, 'retry'],
    ['greeting', 554, 'refused'],
    ['sign-in', 454, 'retry'],
    ['sign-in', 535, 'refused'],
    ['sender', 451, 'retry'],
    ['sender', 550, 'refused'],
    ['recipient', 450, 'retry'],
    ['recipient', 550, 'refused'],
    ['end', 452, 'retry'],
    ['end', 554, 'refused'],
  ] as const)('at the %s with %i: %s', async (at, code, outcome) => {
    const server = await start()
    server.behaviours.push({ at, code, text: '0.0.0 For a reason' })
    const provider = by(server)
    const error = expect.stringMatching(`^localhost responded with ${code}: .*For a reason$`)
    expect(await provider.send(MAIL, id())).toEqual({ outcome, error })
    expect(server.received).toEqual([])
    expect(await provider.send(MAIL, id())).toMatchObject({ outcome: 'accepted' })
  })

  test('is shown without the password, in whichever form it is repeated', async () => {
    const server = await start()
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const forms = [USER.password, base64(USER.password), base64(`\0${USER.user}\0${USER.password}`)]
    server.behaviours.push({ at: 'sign-in', code: 535, text: `No such command ${forms.join(' ')}` })
    const { error } = (await by(server).send(MAIL, id())) as { error: string }
    expect(error).toBe('localhost responded with 535: No such command … … …')
  })
})

describe('a connection that breaks', () => {
  test.each(['greeting', 'sign-in', 'sender', 'recipient', 'content', 'end'] as const)(
    'at the %s is tried again, and so is one that is silent there',
    async (at) => {
      const server = await start()
      server.behaviours.push({ at, does: 'cut' }, { at, does: 'hang' })
      const limits = { greetingMs: 300, silenceMs: 300 }
      const provider = by(server, limits)
      const error = expect.stringMatching(/^The connection to localhost failed: /)
      const key = id()
      expect(await provider.send(MAIL, key)).toEqual({ outcome: 'retry', error })
      expect(await provider.send(MAIL, key)).toEqual({ outcome: 'retry', error })
      expect(await provider.send(MAIL, key)).toMatchObject({ outcome: 'accepted' })
      expect(server.mailbox()).toEqual([key])
      expect(server.behaviours).toEqual([])
    },
  )

  test('in the middle of a large mail leaves nothing at the server', async () => {
    const server = await start()
    server.behaviours.push({ at: 'content', does: 'cut' })
    const large = { ...MAIL, text: 'a line of some length\n'.repeat(100_000) }
    const provider = by(server)
    expect(await provider.send(large, id())).toMatchObject({ outcome: 'retry' })
    expect(server.received).toEqual([])
    expect(await provider.send(large, id())).toMatchObject({ outcome: 'accepted' })
    expect(server.received).toHaveLength(1)
  })

  test('ends when the time of an attempt is over, wherever it is', async () => {
    for (const at of ['greeting', 'sign-in', 'content', 'end'] as const) {
      const server = await start()
      server.behaviours.push({ at, does: 'hang' })
      expect(await by(server, { timeoutMs: 300 }).send(MAIL, id())).toEqual({
        outcome: 'retry',
        error: 'localhost took more than 0.3 seconds',
      })
      await expect.poll(server.connections).toBe(0)
    }
  })

  test('to nobody is tried again', async () => {
    const server = await start()
    await server.close()
    expect(await by(server).send(MAIL, id())).toMatchObject({
      outcome: 'retry',
      error: expect.stringContaining('ECONNREFUSED'),
    })
  })
})

describe('sessions', () => {
  const sessions = ({ received }: MailServer) =>
    new Set(received.map(({ session }) => session)).size

  test('are used again, and one that the server ended is replaced', async () => {
    const server = await start()
    const provider = by(server)
    const send = () => provider.send(MAIL, id())
    for (let mail = 0; mail < 3; mail++) expect(await send()).toMatchObject({ outcome: 'accepted' })
    expect(sessions(server)).toBe(1)
    server.endConnections()
    // Until the end is noticed, a mail may meet it.
    await expect.poll(async () => (await send()).outcome).toBe('accepted')
    expect(sessions(server)).toBe(2)
  })

  test('are as many as mails are sent at the same time', async () => {
    const server = await start()
    const provider = by(server)
    const sendFour = () => Promise.all([1, 2, 3, 4].map(() => provider.send(MAIL, id())))
    await sendFour()
    await sendFour()
    expect(server.received).toHaveLength(8)
    expect(sessions(server)).toBe(4)
  })

  test('take a limited number of mails', async () => {
    const server = await start()
    const provider = by(server)
    for (let mail = 0; mail < 51; mail++) await provider.send(MAIL, id())
    expect(sessions(server)).toBe(2)
  })
})
