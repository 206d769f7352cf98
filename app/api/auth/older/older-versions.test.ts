import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { GET as readMail } from '@/app/api/mails/[id]/route'
import { GET as readMe } from '@/app/api/users/me/route'
import { DELETE as endOne } from '@/app/api/users/me/sessions/[sessionId]/route'
import { GET as listMine } from '@/app/api/users/me/sessions/route'
import { sessions } from '@/lib/db/schema'
import { Browser } from '@/lib/testing/browser'
import { call } from '@/lib/testing/request'
import * as activate from '../activate-account/route'
import * as reset from '../reset-password/route'
import { browserWith, readOlder, upgraded } from './testing/load-older'

const MINUTE_MS = 60_000
const ADA = 'ada@example.com'
const NEW_PASSWORD = 'violet harbour lantern 7'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const statusOf = async (browser: Browser) =>
  (await browser.call(readMe, { path: '/api/users/me' })).status

describe.each(['2026-11-22', '2026-11-25'])('after an upgrade from the version of %s', (date) => {
  const older = readOlder(date)
  beforeEach(() => void vi.setSystemTime(Date.parse(older.madeAt) + 5 * MINUTE_MS))

  test('a browser that is signed in stays signed in, and its cookie is renewed', async () => {
    const deps = await upgraded(older)
    const browser = browserWith(deps, older.session)
    expect(await statusOf(browser)).toBe(200)
    expect(await browser.session()).toMatchObject({ user: { email: ADA } })
    const listed = await browser.call(listMine, { path: '/api/users/me/sessions' })
    expect(listed.body.data).toMatchObject([{ current: true }])
  })

  test('a session of it ends for good', async () => {
    const deps = await upgraded(older)
    const browser = browserWith(deps, older.session)
    const { body } = await browser.call(listMine, { path: '/api/users/me/sessions' })
    const [{ id: sessionId }] = body.data
    const path = `/api/users/me/sessions/${sessionId}`
    const ended = await browser.call(endOne, { method: 'DELETE', path, params: { sessionId } })
    expect(ended.status).toBe(200)
    expect([await statusOf(browser), await statusOf(browser)]).toEqual([401, 401])
    expect(await browser.session()).toEqual({})
  })

  test('API keys of it are valid', async () => {
    const deps = await upgraded(older)
    for (const key of [older.apiKey, older.bootstrapKey]) {
      const headers = { authorization: `Bearer ${key}` }
      const path = `/api/mails/${older.letters[0]?.id}`
      const params = { id: older.letters[0]?.id ?? '' }
      expect((await call(deps, readMail, { path, params, headers })).status).toBe(200)
    }
  })

  test('mails that wait are read, and their links work', async () => {
    const deps = await upgraded(older)
    const headers = { authorization: `Bearer ${older.apiKey}` }
    for (const { id, token, template } of older.letters) {
      const path = `/api/mails/${id}`
      const { body } = await call(deps, readMail, { path, params: { id }, headers })
      expect(JSON.stringify(body.data)).toContain(token)
      const [handler, more] =
        template === 'activation' ? [activate.POST] : [reset.POST, { password: NEW_PASSWORD }]
      const sent = await call(deps, handler, {
        method: 'POST',
        path: '/',
        body: { token, ...more },
      })
      expect(sent.status).toBe(200)
    }
  })

  test('passwords and second factors of it sign in', async () => {
    const deps = await upgraded(older)
    const browser = new Browser(deps)
    const first = await browser.signIn(ADA, older.password)
    if (!older.totp) return expect(first.status).toBe(200)
    const code = new TOTP({ secret: Secret.fromBase32(older.totp.secret) }).generate()
    const { ticket } = first.body.meta.secondFactor
    expect((await browser.sendForm({ ticket, code })).status).toBe(200)
    const again = (await new Browser(deps).signIn(ADA, older.password)).body.meta.secondFactor
    const [recoveryCode = ''] = older.totp.recoveryCodes
    const sent = await new Browser(deps).sendForm({ ticket: again.ticket, code: recoveryCode })
    expect(sent.status).toBe(200)
  })
})

describe('while both versions serve', () => {
  const older = readOlder('2026-11-22')
  beforeEach(() => void vi.setSystemTime(Date.parse(older.madeAt) + 5 * MINUTE_MS))
  const { sid = '', since = 0, token = '' } = older.renewed ?? {}

  async function startedHere() {
    const deps = await upgraded(older)
    const userId = String(older.rows.users?.find(({ email }) => email === ADA)?.id)
    await deps.db.insert(sessions).values({ id: sid, userId, version: 1, strong: false })
    return deps
  }

  test('a cookie of this version that the older one has renewed stays of the same session', async () => {
    const deps = await startedHere()
    expect(since % 1).not.toBe(0)
    const { body } = await browserWith(deps, token).call(listMine, {
      path: '/api/users/me/sessions',
    })
    expect(body.data).toMatchObject([{ id: sid, current: true }])
  })

  test('and ends with it', async () => {
    const deps = await startedHere()
    await deps.db.delete(sessions)
    expect(await statusOf(browserWith(deps, token))).toBe(401)
    expect(await deps.db.select().from(sessions)).toEqual([])
  })
})
