import { readFileSync } from 'node:fs'
import { type APIRequestContext, test as base, expect, request } from '@playwright/test'
import { API_KEY, BASE_URL } from './server-settings'

type Fixtures = {
  /** The API, called with an administrator's key; `request` calls it as nobody. */
  api: APIRequestContext
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies from the pattern
  api: async ({}, use) => {
    const headers = { Authorization: `Bearer ${API_KEY}` }
    const context = await request.newContext({ baseURL: BASE_URL, extraHTTPHeaders: headers })
    await use(context)
    await context.dispose()
  },
})
export { expect }

/** Uploads `public/samples/<name>.zip` and answers what the install answered. */
export async function installSample(api: APIRequestContext, name: string) {
  const buffer = readFileSync(`public/samples/${name}.zip`)
  const file = { name: `${name}.zip`, mimeType: 'application/zip', buffer }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect(response.status()).toBe(200)
  return response.json()
}
