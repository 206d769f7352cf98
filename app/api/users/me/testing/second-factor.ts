import { Secret, TOTP } from 'otpauth'
import { expect, vi } from 'vitest'
import { users } from '@/lib/db/schema'
import type { Handler } from '@/lib/http/route'
import { Browser } from '@/lib/testing/browser'
import { freshDeps } from '@/lib/testing/deps'
import { hashPassword } from '@/lib/testing/password'
import * as me from '../route'
import * as confirmation from '../second-factors/confirmation/route'
import * as confirmTotp from '../second-factors/totp/confirm/route'
import * as totp from '../second-factors/totp/route'

export const deps = freshDeps()
export const PASSWORD = 'correct horse battery'
const HASH = await hashPassword(PASSWORD)
export const ANN = 'ann@example.com'
const STEP_MS = 30_000

export const addUser = async (email = ANN, user: Partial<typeof users.$inferInsert> = {}) => {
  const values = { email, passwordHash: HASH, roles: ['ADMIN'], status: 'ACTIVATED' as const }
  await deps.db.insert(users).values({ ...values, ...user })
}

export async function signedIn(email = ANN, headers: Record<string, string> = {}) {
  const browser = new Browser(deps, { headers })
  expect((await browser.signIn(email, PASSWORD)).status).toBe(200)
  return browser
}

export const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate()

/** To the next step, whose code was not used yet. The clock must be a fake one. */
export const nextCode = () => vi.setSystemTime(Date.now() + STEP_MS)

export const send = (
  browser: Browser,
  handler: Handler,
  method: string,
  body?: unknown,
  params?: Record<string, string>,
) => browser.call(handler, { method, path: '/api/users/me', body, params })

export const statusOf = async (browser: Browser) => (await send(browser, me.GET, 'GET')).status

export const confirm = (browser: Browser, proof: Record<string, string> = { password: PASSWORD }) =>
  send(browser, confirmation.POST, 'POST', proof)

/** Adds an authenticator app to the account of the browser. */
export async function addTotp(browser: Browser) {
  await confirm(browser)
  const started = await send(browser, totp.POST, 'POST')
  const { setupId, secret } = started.body.data[0]
  const code = codeOf(secret)
  const added = await send(browser, confirmTotp.POST, 'POST', { setupId, code })
  expect(added.status).toBe(200)
  return { secret: secret as string, recoveryCodes: added.body.data[0].recoveryCodes as string[] }
}

/** What the first step of a sign-in says about the second one. */
export async function beginSignIn(browser: Browser) {
  const { status, body } = await browser.signIn(ANN, PASSWORD)
  expect(status).toBe(401)
  return body.meta.secondFactor as { ticket: string; methods: string[] }
}

/** Both steps. */
export async function signInWith(code: string, browser = new Browser(deps)) {
  const { ticket } = await beginSignIn(browser)
  const { status } = await browser.sendForm({ ticket, code })
  return { browser, status }
}
