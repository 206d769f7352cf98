import { request } from '@playwright/test'
import { startThrowawayPostgres } from '../scripts/steps/throwaway-postgres.mjs'
import { dropFile } from './drop-file'
import { expect, expectAccessible, test } from './fixtures'
import { installMembers, people } from './members'
import { startOwnServer } from './own-server'
import { ADMIN, API_KEY, ownPort } from './server-settings'

const PORT = ownPort(6)

// The embedded database has one connection, and serves no other request while it imports.
let postgres: Awaited<ReturnType<typeof startThrowawayPostgres>>
let server: Awaited<ReturnType<typeof startOwnServer>>

test.beforeAll(async () => {
  postgres = await startThrowawayPostgres()
  if (!postgres) throw new Error('Install PostgreSQL: no server binaries were found')
  server = await startOwnServer(PORT, {
    DATABASE_URL: postgres.url,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    BOOTSTRAP_API_KEY: API_KEY,
  })
})
test.afterAll(async () => {
  await server?.stop()
  postgres?.stop()
})

test('an import is cancelled from any page, and nothing is stored', async ({ browser }) => {
  test.setTimeout(180_000)
  const headers = { Authorization: `Bearer ${API_KEY}` }
  const api = await request.newContext({ baseURL: server.url, extraHTTPHeaders: headers })
  await installMembers(api, 'Crowd')
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  await page.goto('/login')
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('button', { name: /^Account / })).toBeVisible()
  await page.goto('/entities/Crowd')
  await dropFile(page, 'crowd.csv', people(800_000))
  const dialog = page.getByRole('dialog', { name: 'Import into Crowd' })
  await expect(dialog.getByText('800,000 rows checked: all can be imported.')).toBeVisible({
    timeout: 90_000,
  })
  await dialog.getByRole('button', { name: 'Import 800,000 records', exact: true }).click()
  await expect(dialog.getByText(/,000 rows$/)).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(dialog.getByText('Importing', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Continue in the background' }).click()
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await expect(page).toHaveURL(/\/users/)
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Running: Importing/ })
    .click()
  await page.getByRole('button', { name: /^Cancel: Importing/ }).click()
  await expect(page.getByText('The import of crowd.csv was cancelled')).toBeVisible()
  expect((await (await api.get('/api/entities/Crowd')).json()).data).toEqual([])
  expect((await (await page.request.get('/api/imports')).json()).data[0]).toMatchObject({
    status: 'CANCELLED',
  })
  await context.close()
  await api.dispose()
})
