import type { Page } from '@playwright/test'
import { expect, expectAccessible, installSample, test } from './fixtures'
import { BASE_URL, SERVER_ENV } from './server-settings'

const unique = (name: string) => `${name}-${Date.now().toString(36)}`
const DATABASE = SERVER_ENV.E2E_DATABASE_URL ? /^PostgreSQL/ : 'Embedded database'

test('the dashboard shows counts, each with a link', async ({ admin, api }) => {
  await installSample(api, 'world-airports')
  const { pagination } = await (await api.get('/api/users?size=1')).json()
  await admin.goto('/')
  const figures = admin.getByRole('definition')
  await expect(figures.filter({ hasText: /^\d/ }).nth(3)).toHaveText(String(pagination.total))
  await expect(admin.getByRole('heading', { name: 'Health' })).toBeVisible()
  await expect(admin.getByText(DATABASE)).toBeVisible()
  await expectAccessible(admin)
  await admin.getByRole('main').getByRole('link', { name: 'Users', exact: true }).click()
  await expect(admin).toHaveURL(/\/users$/)
})

test('a user is created, changed, disabled and deleted', async ({ admin, api }) => {
  const email = `${unique('kim')}@example.com`
  const user = async () => {
    const found = await api.get(`/api/users?filter=email:eq:${email}`)
    return (await found.json()).data[0]
  }

  await admin.goto('/users')
  await expectAccessible(admin)
  await admin.getByRole('link', { name: 'New user' }).first().click()
  await admin.getByRole('textbox', { name: 'Email' }).fill(email)
  await admin.getByRole('checkbox', { name: 'Other role' }).check()
  await admin.getByLabel('Other roles').fill('Clerk')
  await admin.keyboard.press('Enter')
  await expect(admin.getByText('“Clerk” grants nothing')).toBeVisible()
  await expect(admin.getByText(`A mail to ${email} is kept in the outbox`)).toBeVisible()
  const crumbs = admin.getByRole('navigation', { name: 'Breadcrumbs' })
  await expect(crumbs).toContainText('New user')
  await admin.getByText('Preview').click()
  await expect(admin.getByText(`An account was created for ${email}.`)).toBeVisible()
  await admin.getByText('No password yet').click()
  await expect(admin.getByText('No mail is sent')).toBeVisible()
  await admin.getByRole('button', { name: 'Add field' }).click()
  await admin.getByLabel('Name of field 1').fill('desk')
  await admin.getByLabel('Value of desk').fill('7')
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Create user' }).click()
  await expect(admin.getByRole('heading', { name: email })).toBeVisible()
  expect(await user()).toMatchObject({
    status: 'REQUIRED_RESET_PASSWORD',
    roles: ['Clerk'],
    profile: { desk: 7 },
  })
  await expect(admin.getByText('Account created')).toBeVisible()
  await expect(crumbs).toContainText(email)
  await expectAccessible(admin)

  await admin.getByRole('button', { name: 'Edit', exact: true }).click()
  await admin.getByRole('button', { name: /Remove Clerk/ }).click()
  await admin.getByRole('checkbox', { name: 'Viewer' }).check()
  await admin.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByRole('dialog')).toBeHidden()
  expect(await user()).toMatchObject({ roles: ['VIEWER'] })

  await chooseAct(admin, 'Disable')
  await admin.getByRole('button', { name: 'Disable user' }).click()
  await expect(admin.getByText('Disabled', { exact: true })).toBeVisible()
  expect(await user()).toMatchObject({ status: 'DISABLED' })

  await chooseAct(admin, 'Delete')
  await expect(admin.getByRole('button', { name: 'Delete user' })).toBeDisabled()
  await admin.getByRole('textbox').fill(email)
  await admin.getByRole('button', { name: 'Delete user' }).click()
  await expect(admin).toHaveURL(/\/users$/)
  expect(await user()).toBeUndefined()
})

async function chooseAct(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

test('an API key is made with scopes, rotated and revoked', async ({ admin, api, request }) => {
  await installSample(api, 'world-airports')
  const name = unique('reader')
  const statusWith = async (key: string, entity: string) => {
    const headers = { Authorization: `Bearer ${key}` }
    return (await request.get(`${BASE_URL}/api/entities/${entity}?size=1`, { headers })).status()
  }
  const shownKey = async () => {
    const text = await admin.getByRole('dialog').getByText(/^eng_/).textContent()
    await admin.getByRole('button', { name: 'I have copied it' }).click()
    return text as string
  }

  await admin.goto('/api-keys')
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'New key' }).first().click()
  await admin.getByRole('textbox', { name: 'Name' }).fill(name)
  await admin.getByRole('combobox', { name: 'Entity' }).click()
  await admin.getByRole('option', { name: 'Country' }).click()
  await admin.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(admin.getByText('Read Country')).toBeVisible()
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Create key' }).click()
  const first = await shownKey()
  expect([await statusWith(first, 'Country'), await statusWith(first, 'Airport')]).toEqual([
    200, 403,
  ])

  await admin.getByRole('button', { name: `Actions for ${name}` }).click()
  await admin.getByRole('menuitem', { name: 'Rotate' }).click()
  await admin.getByRole('button', { name: 'Rotate key' }).click()
  const second = await shownKey()
  expect([await statusWith(first, 'Country'), await statusWith(second, 'Country')]).toEqual([
    401, 200,
  ])

  await admin
    .getByRole('button', { name: `Actions for ${name}` })
    .first()
    .click()
  await admin.getByRole('menuitem', { name: 'Revoke' }).click()
  await admin.getByRole('button', { name: 'Revoke key' }).click()
  await expect(admin.getByRole('alertdialog')).toBeHidden()
  expect(await statusWith(second, 'Country')).toBe(401)
})

test('a kept mail can be read as HTML and as text', async ({ admin, api }) => {
  const email = `${unique('lou')}@example.com`
  const body = { email, roles: ['VIEWER'], profile: {} }
  expect((await api.post('/api/users/init?generatePassword=true', { data: body })).status()).toBe(
    200,
  )
  await admin.goto('/mail')
  await expectAccessible(admin)
  const row = admin.getByRole('row').filter({ hasText: email })
  await expect(row).toContainText('Kept in the outbox')
  await row.getByRole('button').first().click()
  const panel = admin.getByRole('dialog')
  const frame = panel.getByTitle('The mail as HTML')
  await expect(frame).toBeVisible()
  expect(await frame.getAttribute('srcdoc')).not.toContain('<script')
  await expect(
    panel.getByText('No mail provider is configured, so this mail is not sent'),
  ).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Send now' })).toHaveCount(0)
  await panel.getByRole('tab', { name: 'Text' }).click()
  await expect(panel.getByText(/\/activate/)).toBeVisible()
  // The frame runs no scripts, not even axe's, so it must be closed before axe runs.
  await expect(frame).toHaveCount(0)
  await expectAccessible(admin)
})

test('a mail that is written again without a provider is not reported as sent', async ({
  admin,
  api,
}) => {
  const email = `${unique('ivo')}@example.com`
  const user = { email, password: 'a first long password', roles: ['VIEWER'], profile: {} }
  const created = await api.post('/api/users/init', { data: user })
  const { userId } = (await created.json()).data[0]
  await admin.goto(`/users/${userId}`)
  await chooseAct(admin, 'Create a new activation mail')
  await expect(
    admin.getByText(`A new activation mail to ${email} is kept in the outbox`),
  ).toBeVisible()
  await expect(admin.getByText(`is sent to ${email}`)).toBeHidden()
})

test('the audit log shows who did what', async ({ admin, api }) => {
  const email = `${unique('max')}@example.com`
  const created = await api.post('/api/users/init', { data: { email, roles: ['X'], profile: {} } })
  const { userId } = (await created.json()).data[0]
  await admin.goto('/audit')
  await admin.getByRole('searchbox').fill(userId)
  await expect(admin.getByRole('row')).toHaveCount(2)
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'User created' }).click()
  await expect(admin.getByRole('dialog').getByText(userId).first()).toBeVisible()
  await expectAccessible(admin)
})

test('the settings show what is missing, and no secret', async ({ admin }) => {
  await admin.goto('/settings')
  await expect(admin.getByText('Kept in the outbox')).toBeVisible()
  await admin.getByRole('button', { name: 'Check now' }).click()
  await expect(admin.getByRole('button', { name: 'Check again' })).toBeVisible()
  await admin.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(admin.getByText('Indefinitely').first()).toBeVisible()
  await expectAccessible(admin)
  const html = await admin.content()
  expect(html).not.toMatch(/a secret for end-to-end tests|e2e correct horse|eng_for_end_to_end/)
})

test('a user changes their own password', async ({ browser, api }) => {
  const email = `${unique('noa')}@example.com`
  const [before, after] = ['a first long password', 'another long password']
  const user = { email, password: before, roles: ['VIEWER'], profile: {} }
  const created = await api.post('/api/users/init', { data: user })
  const { userId } = (await created.json()).data[0]
  await api.patch(`/api/users/${userId}`, { data: { status: 'ACTIVATED' } })
  const context = await browser.newContext({ baseURL: BASE_URL })
  const page = await context.newPage()
  await signIn(page, email, before)
  await page.goto('/profile')
  await page.getByLabel('Current password').fill('not this one')
  await page.getByLabel('New password').fill(after)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('This is not your current password')).toBeVisible()
  await page.getByLabel('Current password').fill(before)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password changed')).toBeVisible()
  await expectAccessible(page)
  await context.clearCookies()
  await signIn(page, email, after)
  await context.close()
})

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('button', { name: /^Account / })).toBeVisible()
}
