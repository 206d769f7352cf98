import { expect, type Page, test } from '@playwright/test'
import { startOwnServer } from './own-server'
import { ownPort } from './server-settings'

/**
 * The life of accounts, from an empty server on: set-up, three ways to create a user, the outbox,
 * activation, a generated password, a reset, and the end of a session by an administrator.
 */
test.describe.configure({ mode: 'serial' })

const PORT = ownPort(1)
const ADMIN = { email: 'ann@example.com', password: 'correct horse battery' }
let server: Awaited<ReturnType<typeof startOwnServer>>
let admin: Page
const complaints: string[] = []

test.beforeAll(async ({ browser }) => {
  server = await startOwnServer(PORT, { LOG_LEVEL: 'trace' })
  admin = await open(browser)
})
test.afterAll(async () => {
  await server?.stop()
})

/** A visitor with cookies of their own; errors in the browser's console are collected. */
async function open(browser: { newPage: (options: object) => Promise<Page> }): Promise<Page> {
  const page = await browser.newPage({ baseURL: server.url })
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return page
}

/** Calls the API with the page's cookies, wherever the page itself is navigating. */
async function callApi(page: Page, method: string, path: string, data?: unknown) {
  const headers = { Origin: server.url }
  const response = await page.request.fetch(server.url + path, { method, headers, data })
  return { status: response.status(), body: await response.json() }
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const isInConsole = (page: Page) =>
  expect(page.getByRole('button', { name: /^Account / })).toBeVisible()

/** The newest mail to an address, as the outbox shows it. */
async function lastMail(to: string) {
  const list = await callApi(
    admin,
    'GET',
    `/api/mails?filter=to:eq:${to}&sort=createdAt:desc&size=1`,
  )
  const mail = await callApi(admin, 'GET', `/api/mails/${list.body.data[0].id}`)
  const { template, content } = mail.body.data[0]
  const link = new URL(/http\S+token=\S+/.exec(content.text)?.[0] ?? '')
  return { template, text: content.text as string, path: link.pathname + link.search }
}

test('a new server asks for its first administrator, once', async () => {
  await admin.goto('/')
  await expect(admin).toHaveURL(/\/setup$/)
  await admin.getByLabel('Email').fill(ADMIN.email)
  await admin.getByLabel('Password').fill('password')
  await admin.getByRole('button', { name: 'Create administrator' }).click()
  await expect(admin.getByText('one of the most used passwords')).toBeVisible()
  await admin.getByLabel('Password').fill(ADMIN.password)
  await admin.getByRole('button', { name: 'Create administrator' }).click()
  await isInConsole(admin)
  await admin.goto('/setup')
  await expect(admin).not.toHaveURL(/setup/)
})

test('signing in leads to the page that was asked for, and nowhere else', async ({ browser }) => {
  const page = await open(browser)
  await page.goto('/audit?size=20')
  await expect(page).toHaveURL(/\/login\?next=%2Faudit%3Fsize%3D20/)
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'is wrong' })).toBeVisible()
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/audit/)
  await page.goto('/login?next=https://example.com')
  await isInConsole(page)
  await page.close()
})

test('a user with a given password activates the account by the mail', async ({ browser }) => {
  const bob = {
    email: 'bob@example.com',
    password: 'bobs own words',
    roles: ['VIEWER'],
    profile: {},
  }
  await admin.goto('/')
  expect((await callApi(admin, 'POST', '/api/users/init', bob)).status).toBe(200)
  const mail = await lastMail(bob.email)
  expect(mail.template).toBe('activation')

  const page = await open(browser)
  await signIn(page, bob.email, bob.password)
  await expect(page.getByRole('alert').filter({ hasText: 'not activated' })).toBeVisible()
  await page.goto(mail.path)
  await page.getByRole('button', { name: 'Activate account' }).click()
  await expect(page.getByText('Your account is active')).toBeVisible()
  await page.getByRole('link', { name: 'Go to sign in' }).click()
  await signIn(page, bob.email, bob.password)
  await isInConsole(page)

  await page.goto(mail.path)
  await page.getByRole('button', { name: 'Activate account' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'was used or has expired' })).toBeVisible()
  await page.getByRole('link', { name: 'Get a new link' }).click()
  await expect(page).toHaveURL(/forgot-password/)
  await page.close()
})

test('a user with a generated password is made to change it', async ({ browser }) => {
  const cat = { email: 'cat@example.com', roles: ['EDITOR'], profile: { name: 'Cat' } }
  const path = '/api/users/init?generatePassword=true'
  expect((await callApi(admin, 'POST', path, cat)).status).toBe(200)
  const mail = await lastMail(cat.email)
  const generated = /Your password: (\S+)/.exec(mail.text)?.[1] ?? ''

  const page = await open(browser)
  await page.goto(mail.path)
  await page.getByRole('button', { name: 'Activate account' }).click()
  await page.getByRole('link', { name: 'Go to sign in' }).click()
  await signIn(page, cat.email, generated)
  await expect(page).toHaveURL(/change-password/)
  await page.goto('/')
  await expect(page).toHaveURL(/change-password/)
  await page.getByLabel('Current password').fill(generated)
  await page.getByLabel('New password').fill('cats own words')
  await page.getByRole('button', { name: 'Change password' }).click()
  await isInConsole(page)
  await page.close()
})

test('a user without a password sets one by a reset', async ({ browser }) => {
  const dan = { email: 'dan@example.com', roles: ['VIEWER'], profile: {} }
  expect((await callApi(admin, 'POST', '/api/users/init', dan)).status).toBe(200)

  const page = await open(browser)
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page).toHaveURL(/forgot-password/) // both pages ask for an email
  await page.getByLabel('Email').fill(dan.email)
  await page.getByRole('button', { name: 'Create link' }).click()
  await expect(page.getByText('Ask an administrator for the link')).toBeVisible()
  await expect(page.getByText('we sent it a mail')).toBeHidden()
  const mail = await lastMail(dan.email)
  expect(mail.template).toBe('reset-password')
  await page.goto(mail.path)
  await page.getByLabel('New password').fill('dans own words')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('Your password is set')).toBeVisible()
  await signIn(page, dan.email, 'dans own words')
  await isInConsole(page)

  const { body } = await callApi(page, 'GET', '/api/users/me')
  const { userId } = body.data[0]
  const change = { status: 'DISABLED' }
  expect((await callApi(admin, 'PATCH', `/api/users/${userId}`, change)).status).toBe(200)
  expect((await callApi(page, 'GET', '/api/users/me')).status).toBe(401)
  await page.goto('/')
  await expect(page).toHaveURL(/\/login/)
  await signIn(page, dan.email, 'dans own words')
  await expect(page.getByRole('alert').filter({ hasText: 'disabled' })).toBeVisible()
  await page.close()
})

test('signing out ends the session in other tabs, and for copies of its cookie', async ({
  browser,
}) => {
  const page = await open(browser)
  await signIn(page, 'cat@example.com', 'cats own words')
  await isInConsole(page)
  const other = await open(browser)
  await other.context().addCookies(await page.context().cookies())
  await other.goto('/')
  await isInConsole(other)
  await page.getByRole('button', { name: /^Account / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
  await other.goto('/')
  await expect(other).toHaveURL(/\/login/)
  await page.close()
  await other.close()
})

test('a session that is used does not end with its cookie', async ({ browser }) => {
  const page = await open(browser)
  await signIn(page, 'cat@example.com', 'cats own words')
  await isInConsole(page)
  const session = async () =>
    (await page.context().cookies()).find(({ name }) => name.endsWith('session-token'))
  const first = await session()
  if (!first) throw new Error('There is no session')
  const soon = Math.floor(Date.now() / 1000) + 3600
  await page.context().addCookies([{ ...first, expires: soon }])
  const renewed = 'private:session-renewed'
  await page.waitForFunction((name) => localStorage.getItem(name), renewed)
  const twoDaysAgo = Date.now() - 2 * 24 * 3600 * 1000
  await page.evaluate(([name, time]) => localStorage.setItem(name, `${time} ${time}`), [
    renewed,
    twoDaysAgo,
  ] as const)
  await page.reload()
  await isInConsole(page)
  await expect.poll(async () => (await session())?.expires).toBeGreaterThan(soon + 3600)
  expect((await session())?.value).not.toBe(first.value)
  await page.reload()
  await isInConsole(page)
  await page.close()
})

test('a page that the roles do not include says so', async ({ browser }) => {
  const page = await open(browser)
  await signIn(page, 'bob@example.com', 'bobs own words')
  await isInConsole(page)
  const response = await page.goto('/audit')
  expect(response?.status()).toBe(403)
  await expect(page.getByText('You don’t have access to this page')).toBeVisible()
  await page.close()
})

test('pages carry their security headers, and the browser has nothing to complain about', async () => {
  for (const path of ['/login', '/', '/activate?token=x', '/entities/a.csv']) {
    const response = await admin.goto(path)
    const headers = response?.headers() ?? {}
    expect(headers['content-security-policy']).toMatch(
      /script-src 'self' 'nonce-[^']+'.*frame-ancestors 'none'/,
    )
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    })
    expect(headers['cache-control']).toContain('no-store')
    expect(headers).not.toHaveProperty('x-powered-by')
  }
  // Nobody gets images decoded by Next, which has a route for it.
  const optimised = await admin.request.get('/_next/image?url=%2Ficon.svg&w=64&q=75')
  expect(optimised.status()).toBe(404)
  expect(complaints).toEqual([])
})

test('the audit log records who signed in from where', async () => {
  const path = '/api/entities/EngineAuditLog?filter=action:eq:users.sign-in&size=100'
  const { body } = await callApi(admin, 'GET', path)
  const addresses = body.data.map(({ address }: { address: string }) => address)
  expect(new Set(addresses)).toEqual(new Set(['127.0.0.1']))
})

test('no password, link or mail is in what the server wrote, nor in pages', async () => {
  const pages: string[] = []
  for (const path of ['/', '/api-keys', '/audit', '/users']) {
    await admin.goto(path)
    await expect(admin.getByRole('main')).toBeVisible()
    pages.push(await admin.content())
  }
  await expect(admin.getByText('bob@example.com').first()).toBeVisible()
  pages.push(await admin.content())
  const written = [...server.output, ...pages].join('')
  for (const secret of [ADMIN.password, 'own words', 'token='])
    expect(written).not.toContain(secret)
})
