import type { APIRequestContext, Browser, Page } from '@playwright/test'
import { answering, expect } from './fixtures'
import { BASE_URL } from './server-settings'

const PASSWORD = 'words of a person'

export type Person = { page: Page; userId: string; email: string }

/** Signs somebody with these roles in; `page.request` calls the API as they do. Close its context at the end. */
export async function signedIn(
  browser: Browser,
  api: APIRequestContext,
  roles: string[],
): Promise<Person> {
  const email = `${roles.join('-').toLowerCase()}-${crypto.randomUUID().slice(0, 8)}@example.com`
  const user = { email, password: PASSWORD, roles, profile: {} }
  const { userId } = (await (await api.post('/api/users/init', { data: user })).json()).data[0]
  await api.patch(`/api/users/${userId}`, { data: { status: 'ACTIVATED' } })
  const context = await browser.newContext({ baseURL: BASE_URL })
  const page = answering(await context.newPage())
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('button', { name: /^Account / })).toBeVisible()
  return { page, userId, email }
}

/** The status of a request that changes something, as the page itself would send it. */
export async function statusOf(page: Page, method: string, path: string, data?: unknown) {
  const headers = { Origin: BASE_URL }
  return (await page.request.fetch(BASE_URL + path, { method, headers, data })).status()
}
