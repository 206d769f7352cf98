import { users } from '@/lib/db/schema'
import type { Handler } from '@/lib/http/route'
import { Browser } from '@/lib/testing/browser'
import { freshDeps } from '@/lib/testing/deps'
import { readInbox } from '@/lib/testing/inbox'
import * as confirming from '../register/confirm/route'
import * as register from '../register/route'

export const ANN = 'ann@example.com'
export const PASSWORD = 'correct horse battery'
export const OPEN = { REGISTRATION: 'open', REGISTRATION_ROLE: 'VIEWER' }
export const DOMAIN = { ...OPEN, REGISTRATION: 'domain:example.com,partner.example' }
export const INVITED = { REGISTRATION: 'invited' }

export const deps = freshDeps(OPEN)

/** Registration is closed before there is one. */
export const addAdministrator = () =>
  deps.db.insert(users).values({ email: 'root@example.com', roles: ['ADMIN'], status: 'ACTIVATED' })

const post = (handler: Handler, body: unknown, browser = new Browser(deps)) =>
  browser.call(handler, { method: 'POST', path: '/api/auth/register', body })

export const ask = (email: string, browser?: Browser) => post(register.POST, { email }, browser)
export const confirm = (token: string, more: object = {}, browser?: Browser) =>
  post(confirming.POST, { token, password: PASSWORD, ...more }, browser)

export const mailsTo = async (email: string) =>
  (await readInbox(deps)).filter(({ to }) => to.toLowerCase() === email.toLowerCase())
export const templates = async () => (await readInbox(deps)).map(({ template }) => template)

/** The token of a mail that was asked for. */
export async function tokenFor(email: string, browser?: Browser): Promise<string> {
  await ask(email, browser)
  return (await mailsTo(email)).at(-1)?.token ?? ''
}
export const userOf = async (email: string) =>
  (await deps.db.select().from(users)).find((user) => user.email === email)
