import { readFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { expect, expectAccessible, test } from './fixtures'
import { startOwnServer } from './own-server'
import { ownPort } from './server-settings'

/** Second factors of people, from setting one up to an administrator's reset. Passkeys need a name, so localhost. */
test.describe.configure({ mode: 'serial' })

const PORT = ownPort(5)
const URL = `http://localhost:${PORT}`
const ANN = { email: 'ann@example.com', password: 'correct horse battery' }
const BOB = { email: 'bob@example.com', password: 'bobs own long words' }
let server: Awaited<ReturnType<typeof startOwnServer>>
let page: Page
let secret: string
let codes: string[]

test.beforeAll(async ({ browser }) => {
  server = await startOwnServer(PORT, {
    APP_URL: URL,
    NEXTAUTH_URL: URL,
    ADMIN_EMAIL: ANN.email,
    ADMIN_PASSWORD: ANN.password,
  })
  page = await open(browser)
})
test.afterAll(async () => {
  await server?.stop()
})

async function open(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ baseURL: URL, acceptDownloads: true })
  return context.newPage()
}

async function sendPassword(to: Page, { email, password }: typeof ANN): Promise<void> {
  await to.goto('/login')
  await to.getByLabel('Email').fill(email)
  await to.getByLabel('Password').fill(password)
  await to.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const isInConsole = (of: Page) =>
  expect(of.getByRole('button', { name: /^Account / })).toBeVisible()

async function signOut(of: Page): Promise<void> {
  await of.getByRole('button', { name: /^Account / }).click()
  await of.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(of).toHaveURL(/\/login/)
}

/** Of the step after the current one, which the server accepts as well. */
const laterCode = (of = secret) =>
  new TOTP({ secret: Secret.fromBase32(of) }).generate({ timestamp: Date.now() + 30_000 })

async function fillCode(of: Page, code: string, button: string): Promise<void> {
  await of.getByRole('textbox', { name: /code/i }).fill(code)
  await of.getByRole('button', { name: button, exact: true }).click()
}

/** Takes the secret from the dialog and confirms its code. Returns both. */
async function setUpApp(of: Page) {
  const dialog = of.getByRole('dialog', { name: 'Add an authenticator app' })
  await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible()
  const shown = (await dialog.locator('code').textContent()) ?? ''
  await expectAccessible(of)
  await dialog.getByLabel('Code', { exact: true }).fill('000000')
  await dialog.getByRole('button', { name: 'Add authenticator app' }).click()
  await expect(dialog.getByText('This code is wrong')).toBeVisible()
  const totp = new TOTP({ secret: Secret.fromBase32(shown) })
  await dialog.getByLabel('Code', { exact: true }).fill(totp.generate())
  await dialog.getByRole('button', { name: 'Add authenticator app' }).click()
  const stored = of.getByRole('dialog', { name: 'Recovery codes' })
  const items = stored.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(items).toHaveCount(10)
  const made = await items.allTextContents()
  return { shown, made, stored }
}

test('an authenticator app is set up after the password was given again', async () => {
  await sendPassword(page, ANN)
  await isInConsole(page)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Set up', exact: true }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await confirm.getByLabel('Password', { exact: true }).fill('wrong horse')
  await confirm.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(confirm.getByText('This is not your password')).toBeVisible()
  await expectAccessible(page)
  await confirm.getByLabel('Password', { exact: true }).fill(ANN.password)
  await confirm.getByRole('button', { name: 'Confirm', exact: true }).click()
  const { shown, made, stored } = await setUpApp(page)
  ;[secret, codes] = [shown, made]
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await stored.getByRole('button', { name: 'Download' }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toBe(`${made.join('\n')}\n`)
  await stored.getByRole('button', { name: 'I have stored them' }).click()
  await expect(page.getByText('10 of 10 are left', { exact: false })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove the app' })).toBeVisible()
  await expectAccessible(page)
})

test('signing in takes a code; a wrong one says so, and a recovery code stands in', async () => {
  await signOut(page)
  await sendPassword(page, ANN)
  await expect(page.getByLabel('Code of your authenticator app')).toBeFocused()
  await expectAccessible(page)
  await page.goto('/')
  await expect(page).toHaveURL(/\/login/)
  await sendPassword(page, ANN)
  await fillCode(page, '000000', 'Continue')
  await expect(page.getByText('This code is wrong')).toBeVisible()
  await fillCode(page, laterCode(), 'Continue')
  await isInConsole(page)
  await signOut(page)
  await sendPassword(page, ANN)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await fillCode(page, codes[0] ?? '', 'Continue')
  await isInConsole(page)
  await page.goto('/profile')
  await expect(page.getByText('9 of 10 are left', { exact: false })).toBeVisible()
})

test('a passkey is added, renamed, and signs in alone and after a password', async () => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill('Laptop')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add passkey' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await confirm.getByLabel('Password', { exact: true }).fill(ANN.password)
  await confirm.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Rename the passkey Laptop' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Work laptop')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(page.getByText('Work laptop')).toBeVisible()
  await expectAccessible(page)

  await signOut(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await isInConsole(page)
  await signOut(page)
  await sendPassword(page, ANN)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await isInConsole(page)

  await page.goto('/profile')
  await page.getByRole('button', { name: 'Remove the passkey Work laptop' }).click()
  await page.getByRole('button', { name: 'Remove passkey', exact: true }).click()
  await confirm.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByText('Passkey removed')).toBeVisible()
  await expect(page.getByText('Work laptop')).toHaveCount(0)
})

test('sessions are listed with their devices, mailed when new, and ended', async ({ browser }) => {
  const other = await open(browser)
  await sendPassword(other, ANN)
  await other.getByRole('button', { name: 'Use a recovery code' }).click()
  await fillCode(other, codes[1] ?? '', 'Continue')
  await isInConsole(other)
  await page.goto('/profile')
  const listed = page.getByRole('main').getByRole('listitem') // notices are items of a list, too
  const sessions = listed.filter({ hasText: /Chrome.* on Linux/ })
  await expect(sessions).toHaveCount(2)
  await expect(sessions.filter({ hasText: 'This one' })).toHaveCount(1)
  await page.goto('/mail')
  await expect(
    page.getByRole('row').filter({ hasText: 'New sign-in to your account' }),
  ).not.toHaveCount(0)
  await page.goto('/profile')
  await sessions.getByRole('button', { name: /^End the session/ }).click()
  await expect(sessions).toHaveCount(1)
  await other.goto('/')
  await expect(other).toHaveURL(/\/login/)
  await other.context().close()
})

test('a role requires a second factor, and an administrator resets it', async ({ browser }) => {
  const headers = { Origin: URL }
  const data = { ...BOB, roles: ['EDITOR'], profile: {} }
  const created = await page.request.post('/api/users/init', { headers, data })
  const { userId } = (await created.json()).data[0]
  const status = { status: 'ACTIVATED' }
  await page.request.patch(`/api/users/${userId}`, { headers, data: status })
  const bob = await open(browser)
  await sendPassword(bob, BOB)
  await isInConsole(bob)

  await page.goto('/settings')
  await page.getByRole('checkbox', { name: 'Editor' }).check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Second factor required')).toBeVisible()

  await bob.goto('/entities')
  await expect(bob).toHaveURL(/\/second-factor/)
  expect((await bob.request.get('/api/entities')).status()).toBe(403)
  await expectAccessible(bob)
  await signInAgain(bob)
  await bob.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const { stored } = await setUpApp(bob)
  await stored.getByRole('button', { name: 'I have stored them' }).click()
  await isInConsole(bob)
  await bob.goto('/profile')
  await expect(bob.getByText('Your role requires a second factor')).toBeVisible()

  await page.goto(`/users/${userId}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Reset second factors' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Reset second factors', exact: true }).click()
  await expect(page.getByText(`The second factors of ${BOB.email} are removed`)).toBeVisible()
  await bob.goto('/')
  await expect(bob).toHaveURL(/\/login/)
  await bob.context().close()
})

/** What asks for no password again: the set-up that follows a sign-in. */
async function signInAgain(bob: Page): Promise<void> {
  await bob.getByRole('button', { name: 'Sign out' }).click()
  await expect(bob).toHaveURL(/\/login/)
  await sendPassword(bob, BOB)
  await expect(bob).toHaveURL(/\/second-factor/)
}
