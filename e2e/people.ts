import type { APIRequestContext, Browser, Page } from '@playwright/test'
import { expect } from './fixtures'
import { BASE_URL } from './server-settings'

export const PASSWORD = 'words of a person'

/** An administrator with an address of their own. */
export async function makePerson(api: APIRequestContext, name: string) {
  const email = `${name}-${Date.now().toString(36)}@example.com`
  const user = { email, password: PASSWORD, roles: ['ADMIN'], profile: {} }
  const { userId } = (await (await api.post('/api/users/init', { data: user })).json()).data[0]
  await api.patch(`/api/users/${userId}`, { data: { status: 'ACTIVATED' } })
  return { email, userId }
}

/** A page of a browser of their own. */
export async function signedIn(browser: Browser, email: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: BASE_URL })).newPage()
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('button', { name: /^Account / })).toBeVisible()
  return page
}
