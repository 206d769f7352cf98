import type { Browser, Page } from '@playwright/test'
import { EncryptJWT } from 'jose'
import { deriveKey } from '../lib/crypto/derive-key'
import { expect, expectAccessible, test } from './fixtures'
import { startOwnServer } from './own-server'
import { ADMIN, API_KEY, ownPort, SERVER_ENV } from './server-settings'

test.describe.configure({ mode: 'serial' })

const PASSWORD = 'anns own words'
let server: Awaited<ReturnType<typeof startOwnServer>>

test.beforeAll(async () => {
  server = await startOwnServer(ownPort(12), {
    REGISTRATION: 'domain:example.com',
    REGISTRATION_ROLE: 'VIEWER',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    BOOTSTRAP_API_KEY: API_KEY,
  })
})
test.afterAll(async () => {
  await server?.stop()
})

const open = (browser: Browser) => browser.newPage({ baseURL: server.url })

async function read(path: string) {
  const headers = { Authorization: `Bearer ${API_KEY}` }
  const response = await fetch(server.url + path, { headers })
  expect(response.status).toBe(200)
  return (await response.json()).data
}

/** The mails to an address, the newest first, with the path of their link. */
async function mailsTo(email: string) {
  const mails = await read(`/api/mails?filter=to:eq:${email}&sort=createdAt:desc`)
  return Promise.all(
    mails.map(async ({ id }: { id: string }) => {
      const [{ template, content }] = await read(`/api/mails/${id}`)
      const { pathname, search } = new URL(/http\S+/.exec(content.text)?.[0] ?? '')
      return { template, path: pathname + search }
    }),
  )
}

/** Asks by the form, and returns what the page says then, without the address. */
async function ask(page: Page, email: string): Promise<string> {
  await page.goto('/register')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Create link' }).click()
  const answer = page.getByRole('status').filter({ hasText: 'Ask an administrator for the link' })
  await expect(answer).toContainText(email)
  return (await answer.innerText()).replace(email, '')
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('button', { name: /^Account / })).toBeVisible()
}

test('a person registers by a mail, chooses a password, and signs in with the role', async ({
  browser,
}) => {
  const page = await open(browser)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/login')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible()
  await expect(page.getByText('at example.com')).toBeVisible()
  await expectAccessible(page)
  await ask(page, 'ann@example.com')
  await expectAccessible(page)

  const [mail] = await mailsTo('ann@example.com')
  expect(mail.template).toBe('registration')
  expect(await read('/api/users?filter=email:eq:ann@example.com')).toEqual([])
  await page.goto(mail.path)
  await expect(page.getByText('ann@example.com')).toBeVisible()
  await expectAccessible(page)
  const password = page.getByLabel('Password', { exact: true })
  await password.fill('password')
  await password.press('Enter')
  await expect(page.getByText('one of the most used passwords')).toBeVisible()
  await expectAccessible(page)
  await password.fill(PASSWORD)
  await password.press('Enter')
  await expect(page.getByText('Your account is ready')).toBeVisible()
  await page.getByRole('link', { name: 'Go to sign in' }).click()
  await signIn(page, 'ann@example.com')
  await page.goto('/profile')
  await expect(page.getByText('VIEWER')).toBeVisible()
  await page.close()
})

test('the page says the same of every address', async ({ browser }) => {
  const page = await open(browser)
  const answers = [
    await ask(page, 'ann@example.com'),
    await ask(page, 'bob@example.com'),
    await ask(page, 'eve@elsewhere.example'),
  ]
  expect(new Set(answers).size).toBe(1)
  expect((await mailsTo('ann@example.com'))[0].template).toBe('account-exists')
  expect((await mailsTo('bob@example.com'))[0].template).toBe('registration')
  expect(await mailsTo('eve@elsewhere.example')).toEqual([])
  await page.close()
})

test('a link that was used, or has expired, leads to a new one', async ({ browser }) => {
  const page = await open(browser)
  const expired = await new EncryptJWT({ id: crypto.randomUUID(), email: 'dan@example.com' })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setExpirationTime(Math.floor(Date.now() / 1000) - 60)
    .encrypt(deriveKey({ current: SERVER_ENV.NEXTAUTH_SECRET, previous: null }, 'registration'))
  const used = (await mailsTo('ann@example.com')).find(
    ({ template }) => template === 'registration',
  )?.path
  for (const path of [used ?? '', `/register/confirm?token=${expired}`]) {
    await page.goto(path)
    const refusal = page.getByRole('alert').filter({ hasText: 'was used or has expired' })
    await expect(refusal).toBeVisible()
  }
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Get a new link' }).click()
  await expect(page).toHaveURL(/\/register$/)
  await page.close()
})

test('a link that two tabs have open makes one account', async ({ browser }) => {
  const tabs = [await open(browser), await open(browser)] as const
  const [mail] = await mailsTo('bob@example.com')
  for (const tab of tabs) await tab.goto(mail.path)
  for (const tab of tabs) {
    await tab.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await tab.getByRole('button', { name: 'Create account' }).click()
  }
  await expect(tabs[0].getByText('Your account is ready')).toBeVisible()
  await expect(
    tabs[1].getByRole('alert').filter({ hasText: 'was used or has expired' }),
  ).toBeVisible()
  expect(await read('/api/users?filter=email:eq:bob@example.com')).toHaveLength(1)
  for (const tab of tabs) await tab.close()
})
