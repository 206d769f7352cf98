import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, installSample, test } from './fixtures'
import { API_KEY } from './server-settings'

const operations = (page: Page) => page.getByRole('navigation', { name: 'Operations' })

test('anyone reads the generic operations and finds one', async ({ visitor }) => {
  await visitor.goto('/api-docs')
  await expect(operations(visitor).getByRole('link', { name: 'Search records' })).toBeVisible()
  await expect(operations(visitor).getByText('Airport')).toHaveCount(0)
  await expect(visitor.getByRole('link', { name: 'openapi.json' })).toBeVisible()
  await expect(visitor.getByRole('link', { name: 'types.d.ts' })).toHaveCount(0)
  await visitor.getByRole('searchbox', { name: 'Find an operation' }).fill('upload image')
  await expect(operations(visitor).getByRole('status')).toHaveText(/^2 of \d+ operations$/)
  await operations(visitor)
    .getByRole('link', { name: /Upload an image$/ })
    .click()
  await expect(visitor.getByRole('heading', { name: 'Upload an image', exact: true })).toBeFocused()
  await expect(visitor).toHaveURL(/\/api-docs#uploadImage$/)
  await visitor.goBack()
  await expect(visitor.getByRole('heading', { name: 'Authentication' })).toBeVisible()
  await visitor.getByRole('link', { name: 'Sign in', exact: true }).first().click()
  await expect(visitor).toHaveURL(/\/login\?next=%2Fapi-docs|\/login\?next=\/api-docs/)
})

test('an administrator finds the operations on an entity, and the search of it works', async ({
  admin,
  api,
}) => {
  await installSample(api, 'world-airports')
  await admin.goto('/entities')
  await admin.keyboard.press('Control+k')
  await admin.getByRole('combobox').fill('api reference')
  await admin.getByRole('option', { name: 'API reference' }).click()
  for (const name of ['openapi.json', 'types.d.ts']) {
    const address = await admin.getByRole('link', { name }).getAttribute('href')
    expect(await (await admin.request.get(`${address}`)).text()).toContain('Airport')
  }
  await operations(admin)
    .getByRole('button', { name: /^Airport records/ })
    .click()
  await operations(admin).getByRole('link', { name: 'Search records' }).last().click()
  await expect(admin).toHaveURL(/\/api-docs#searchAirportRecords$/)
  const command = await admin.getByRole('region', { name: 'curl' }).textContent()
  const response = JSON.parse(await runShell(`${command} -s`))
  expect(response).toMatchObject({ code: 200, pagination: { current: 0 } })
  expect(response.data[0]).toHaveProperty('ident')
  await admin.getByRole('button', { name: 'Fields of query' }).click()
  await expect(admin.getByText('operator', { exact: true }).first()).toBeVisible()
  await admin.getByRole('link', { name: 'Requires a credential' }).click()
  await expect(admin.getByRole('heading', { name: 'Authentication' })).toBeFocused()
  await admin.getByRole('link', { name: 'API reference' }).click()
  await expect(admin).toHaveURL(/\/api-docs$/)
})

test('a link leads to its operation, in light and dark, on a desk and in the hand', async ({
  admin,
}) => {
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    await admin.emulateMedia({ colorScheme })
    await admin.setViewportSize({ width, height: 844 })
    await admin.goto('/api-docs#searchRecords')
    await admin.reload()
    await expect(admin.getByRole('heading', { name: 'Search records' })).toBeVisible()
    await admin.getByRole('button', { name: /application\/json of 200/ }).click()
    await expectAccessible(admin)
    await admin.goto('/api-docs#start')
    await expect(admin.getByRole('heading', { name: 'Getting started' })).toBeVisible()
    await expectAccessible(admin)
  }
  await admin.getByRole('link', { name: 'All operations' }).click()
  await expect(operations(admin)).toBeVisible()
  await expectAccessible(admin)
})

test('a document that fails to load can be requested again', async ({ page }) => {
  await page.route('**/api/openapi.json', (route) =>
    route.fulfill({ status: 500, json: { data: [], error: 'Something broke' } }),
  )
  await page.goto('/api-docs')
  await expect(page.getByRole('alert').first()).toContainText('Something broke')
  await page.unroute('**/api/openapi.json')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(operations(page)).toBeVisible()
  await page.goto('/api-docs#noSuchThing')
  await expect(page.getByText('Operation not found')).toBeVisible()
})

async function runShell(command: string): Promise<string> {
  const env = { ...process.env, ENGINE_API_KEY: API_KEY }
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { env })
  return stdout
}

test('a request is tried with the rights of the session, and not by visitors', async ({
  admin,
  visitor,
  api,
}) => {
  await installSample(api, 'world-airports')
  await admin.goto('/api-docs#searchRecords')
  await admin.getByRole('button', { name: 'Try it' }).click()
  const form = admin.getByRole('form', { name: 'Try it' })
  await form.getByRole('textbox', { name: 'entityName' }).fill(' ')
  await form.getByRole('button', { name: 'Send' }).click()
  await expect(form.getByText('Enter a value')).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'entityName' })).toBeFocused()
  await expect(form.getByRole('region', { name: 'the response' })).toHaveCount(0)
  await form.getByRole('textbox', { name: 'entityName' }).fill('Airport')
  const body = { query: [{ field: 'ident', operator: 'eq', value: 'EDDF' }] }
  await form.getByRole('textbox', { name: 'Body' }).fill(JSON.stringify(body))
  await form.getByRole('button', { name: 'Send' }).click()
  await expect(form.getByText('200', { exact: true })).toBeVisible()
  await expect(form.getByRole('region', { name: 'the response' })).toContainText('Frankfurt')
  // What the bar above the page covers in part would be judged too small.
  await admin.evaluate(() => scrollTo(0, 0))
  await expectAccessible(admin)
  await form.getByRole('textbox', { name: 'Body' }).fill('{"qery":[]}')
  await form.getByRole('button', { name: 'Send' }).click()
  await expect(form.getByText('400', { exact: true })).toBeVisible()
  await expect(form.getByRole('region', { name: 'the response' })).toContainText('query')
  await visitor.goto('/api-docs#searchRecords')
  await expect(visitor.getByRole('heading', { name: 'Search records' })).toBeVisible()
  await expect(visitor.getByRole('button', { name: 'Try it' })).toHaveCount(0)
})
