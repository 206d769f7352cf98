import type { Browser, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { CLIENT, IdentityProvider } from '../lib/testing/identity-provider'
import { expect, expectAccessible, test } from './fixtures'
import { startOwnServer } from './own-server'
import { ADMIN, API_KEY, ownPort } from './server-settings'

test.describe.configure({ mode: 'serial' })

const PORT = ownPort(11)
const ANN = { sub: 'ann', email: 'ann@example.com', email_verified: true, groups: ['staff'] }
const ADA = { sub: 'ada', email: ADMIN.email, email_verified: true, groups: ['engine-admins'] }
const EVE = { sub: 'eve', email: 'eve@example.com', email_verified: false, groups: ['staff'] }

let provider: IdentityProvider
let server: Awaited<ReturnType<typeof startOwnServer>>

test.beforeAll(async () => {
  const callback = `http://127.0.0.1:${PORT}/api/auth/callback/oidc-acme`
  provider = await IdentityProvider.start([callback])
  provider.people = [ANN, ADA, EVE]
  server = await startOwnServer(PORT, {
    OIDC_ACME_ISSUER: provider.issuer,
    OIDC_ACME_CLIENT_ID: CLIENT.id,
    OIDC_ACME_CLIENT_SECRET: CLIENT.secret,
    OIDC_ACME_LABEL: 'Acme',
    OIDC_ACME_DOMAINS: 'example.com',
    OIDC_ACME_ROLES_MAP: '{"staff":"VIEWER","editors":"EDITOR","engine-admins":"ADMIN"}',
    OIDC_ACME_ROLES_SOURCE: 'provider',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    BOOTSTRAP_API_KEY: API_KEY,
  })
  await send('POST', '/api/users/init', { email: ANN.email, roles: ['VIEWER'], profile: {} })
})
test.afterAll(async () => {
  await server?.stop()
  provider?.close()
})

async function send(method: string, path: string, body?: object) {
  const headers = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' }
  const sent = body ? { body: JSON.stringify(body) } : {}
  const response = await fetch(server.url + path, { method, headers, ...sent })
  expect(response.status).toBeLessThan(300)
  return response.json()
}

/** A browser in which this person is signed in at the provider. */
async function open(browser: Browser, { sub }: { sub: string }): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url })
  await context.setExtraHTTPHeaders({ 'x-person': `sub=${sub}` })
  return context.newPage()
}

const press = async (page: Page, path = '/login') => {
  await page.goto(path)
  await page.getByRole('link', { name: 'Sign in with Acme' }).click()
}

const isInConsole = (page: Page) =>
  expect(page.getByRole('button', { name: /^Account / })).toBeVisible()

const rolesOf = async () => {
  const { data } = await send('GET', `/api/users?filter=email:eq:${ANN.email}`)
  return data[0].roles
}

test('who was invited signs in where they are already, and lands where they wanted to go', async ({
  browser,
}) => {
  const page = await open(browser, ANN)
  await page.goto('/entities')
  await expect(page).toHaveURL(/\/login\?next=/)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Sign in with Acme' }).click()
  await isInConsole(page)
  await expect(page).toHaveURL(/\/entities$/)
  await page.goto('/profile')
  await expect(page.getByText('VIEWER')).toBeVisible()
  await page.context().close()
})

test('roles change with the groups at the provider', async ({ browser }) => {
  const before = await open(browser, ANN)
  await press(before)
  await isInConsole(before)
  provider.people = [{ ...ANN, groups: ['editors'] }, ADA, EVE]
  const page = await open(browser, ANN)
  await press(page)
  await isInConsole(page)
  expect(await rolesOf()).toEqual(['EDITOR'])
  await before.goto('/entities')
  await expect(before).toHaveURL(/\/login/)
  for (const one of [before, page]) await one.context().close()
})

test('an administrator confirms once that the account is theirs', async ({ browser }) => {
  const page = await open(browser, ADA)
  await press(page)
  await expect(page.getByLabel('Password')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await isInConsole(page)

  await page.goto('/settings')
  await page.getByRole('button', { name: 'Test Acme' }).click()
  await expect(page.getByRole('status').filter({ hasText: provider.issuer })).toBeVisible()
  await expectAccessible(page)

  const { data } = await send('GET', `/api/users?filter=email:eq:${ANN.email}`)
  await page.goto(`/users/${data[0].userId}`)
  await expect(page.getByText(/Acme/).first()).toBeVisible()
  await expectAccessible(page)
  await page.context().close()
  const again = await open(browser, ADA)
  await press(again)
  await isInConsole(again)
  await again.context().close()
})

test('SCIM is turned on; what it manages can not be changed by hand; deactivated, it is over', async ({
  browser,
}) => {
  const page = await open(browser, ADA)
  await page.goto('/login')
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await isInConsole(page)
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Turn SCIM on' }).click()
  const dialog = page.getByRole('dialog', { name: 'SCIM token' })
  const token = (await dialog.locator('pre').textContent()) ?? ''
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  await expect(page.getByRole('button', { name: 'Rotate the token' })).toBeVisible()
  await expectAccessible(page)

  const bob = { sub: 'bob', email: 'bob@example.com', email_verified: true, groups: ['staff'] }
  provider.people.push(bob)
  const scim = async (method: string, path: string, body: object) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/scim+json',
    }
    const sent = { method, headers, body: JSON.stringify(body) }
    const response = await fetch(`${server.url}/api/scim/v2${path}`, sent)
    expect(response.status).toBeLessThan(300)
    return response.json()
  }
  const { id } = await scim('POST', '/Users', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    ...{ userName: bob.email, externalId: 'b-1', active: true },
    emails: [{ value: bob.email, type: 'work', primary: true }],
  })
  const his = await open(browser, bob)
  await press(his)
  await isInConsole(his)
  await page.goto(`/users/${id}`)
  await expect(page.getByText('Managed by SCIM').first()).toBeVisible()
  await expectAccessible(page)
  await scim('PATCH', `/Users/${id}`, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
  })
  await his.goto('/entities')
  await expect(his).toHaveURL(/\/login/)

  await page.goto('/settings')
  await page.getByRole('button', { name: 'Turn SCIM off' }).click()
  const asked = page.getByRole('alertdialog')
  await asked.getByRole('button', { name: 'Turn SCIM off' }).click()
  await expect(page.getByRole('button', { name: 'Turn SCIM on' })).toBeVisible()
  for (const one of [his, page]) await one.context().close()
})

test('a second factor of this server is asked for', async ({ browser }) => {
  const page = await open(browser, ADA)
  await press(page)
  await isInConsole(page)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Set up', exact: true }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await confirm.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await confirm.getByRole('button', { name: 'Confirm', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' })
  const secret = (await dialog.locator('code').textContent()) ?? ''
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await dialog.getByLabel('Code', { exact: true }).fill(totp.generate())
  await dialog.getByRole('button', { name: 'Add authenticator app' }).click()
  await expect(page.getByRole('dialog', { name: 'Recovery codes' })).toBeVisible()
  await page.context().close()

  const again = await open(browser, ADA)
  await press(again)
  const code = again.getByLabel('Code of your authenticator app')
  await expect(code).toBeFocused()
  await expectAccessible(again)
  await code.fill(totp.generate({ timestamp: Date.now() + 30_000 }))
  await again.getByRole('button', { name: 'Continue' }).click()
  await isInConsole(again)
  await again.context().close()
})

test('who the provider does not vouch for stays out, and is told why', async ({ browser }) => {
  const page = await open(browser, EVE)
  await press(page)
  await expect(page).toHaveURL(/\/login\?error=OidcUnverified/)
  await expect(page.getByRole('alert').filter({ hasText: /verified/ })).toBeVisible()
  await expectAccessible(page)
  await page.context().close()
})
