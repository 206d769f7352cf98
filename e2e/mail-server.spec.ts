import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LOCALHOST } from '../lib/testing/certificates'
import { type MailServer, startMailServer, USER } from '../lib/testing/mail-server'
import { expect, expectAccessible, test } from './fixtures'
import { startOwnServer } from './own-server'
import { ADMIN, API_KEY, ownPort } from './server-settings'

let mails: MailServer
let server: Awaited<ReturnType<typeof startOwnServer>>
const folder = mkdtempSync(join(tmpdir(), 'engine-mail-'))

test.beforeAll(async () => {
  mails = await startMailServer()
  const trusted = join(folder, 'trusted.pem')
  writeFileSync(trusted, LOCALHOST.cert)
  const login = `${encodeURIComponent(USER.user)}:${encodeURIComponent(USER.password)}`
  server = await startOwnServer(ownPort(10), {
    SMTP_URL: `smtp://${login}@localhost:${mails.port}`,
    NODE_EXTRA_CA_CERTS: trusted,
    MAIL_FROM: 'Data <data@example.com>',
    MAIL_BRAND_PRODUCT: 'Acme Data',
    MAIL_BRAND_ORGANISATION: 'Acme Inc.',
    MAIL_BRAND_SUPPORT: 'help@example.com',
    MAIL_BRAND_LANGUAGE: 'de',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    BOOTSTRAP_API_KEY: API_KEY,
  })
})
test.afterAll(async () => {
  await server?.stop()
  await mails?.close()
  rmSync(folder, { recursive: true })
})

test('mails go by a mail server: tried, previewed and sent', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  await page.goto('/login')
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('button', { name: /^Account / })).toBeVisible()

  await page.goto('/settings')
  await expect(page.getByText(`localhost:${mails.port} as ${USER.user}`)).toBeVisible()
  expect(await page.content()).not.toContain(USER.password)
  mails.behaviours.push({ at: 'recipient', code: 550, text: '5.1.1 No such user' })
  const send = page.getByRole('button', { name: 'Send a test mail' })
  await send.click()
  await expect(page.getByText(`The test mail to ${ADMIN.email} was not sent`)).toBeVisible()
  await expect(page.getByText('localhost responded with 550: 5.1.1 No such user')).toBeVisible()
  await expectAccessible(page)
  await send.click()
  await expect(page.getByText(`The test mail to ${ADMIN.email} was sent`)).toBeVisible()
  await expect(page.getByText(/accepted the mail: 250/)).toBeVisible()
  await expect(page.getByText('No such user')).toHaveCount(0)
  expect(mails.received).toEqual([expect.objectContaining({ to: ADMIN.email, tls: true })])

  await page.getByRole('link', { name: 'Preview mails' }).click()
  await expect(page.getByText('Aktivieren Sie Ihr Konto – Acme Data')).toBeVisible()
  await page.getByLabel('Mail', { exact: true }).selectOption('Password reset')
  const frame = page.frameLocator('iframe')
  await expect(frame.getByRole('link', { name: 'Neues Passwort festlegen' })).toBeVisible()
  await expect(frame.getByText('Acme Data · Acme Inc.')).toBeVisible()
  await page.getByRole('tab', { name: 'Text' }).click()
  await expect(page.getByText('Hilfe: help@example.com')).toBeVisible()
  await expectAccessible(page)

  const email = `eve-${Date.now().toString(36)}@example.com`
  await page.goto('/users/new')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('checkbox', { name: 'Viewer' }).check()
  await page.getByRole('button', { name: 'Create user' }).click()
  await expect(page.getByRole('heading', { name: email })).toBeVisible()
  await expect.poll(() => mails.received.map(({ to }) => to)).toContain(email)
  await page.goto('/mail')
  await expect(page.getByRole('row', { name: new RegExp(email) })).toContainText('Sent')
  await page.goto('/audit?q=mails.test')
  await expect(page.getByText('Test mail tried').first()).toBeVisible()
  await context.close()
})
