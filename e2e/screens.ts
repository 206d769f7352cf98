import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { installSample, test } from './fixtures'
import { overlays } from './screens-overlays'
import { seedMuch } from './seed-much'

const WIDTHS = [1440, 768, 390]
const SCHEMES = ['light', 'dark'] as const

/** Pages with content on any server. */
const ALWAYS = [
  '/',
  '/entities',
  '/plugins',
  '/plugins/history',
  '/images',
  '/exports',
  '/trash',
  '/users',
  '/users/new',
  '/roles',
  '/roles?view=roles',
  '/mail',
  '/api-keys',
  '/audit',
  '/api-docs',
  '/settings',
  '/profile',
  '/entities/EngineAuditLog',
]

/** Pages for people who are not signed in. */
const OPEN = [
  '/login',
  '/forgot-password',
  '/activate',
  '/reset-password',
  '/api-docs',
  '/api-docs#searchRecords',
]

test('the open pages', async ({ browser, baseURL }) => {
  const page = await browser.newPage({ baseURL })
  for (const path of OPEN) await shoot(page, 'open', path)
})

test('no data', async ({ admin }) => {
  for (const path of ALWAYS) await shoot(admin, 'empty', path)
})

test('little', async ({ admin, api }) => {
  await installSample(api, 'world-airports')
  await installSample(api, 'broken-example')
  for (const path of [...ALWAYS, ...(await detailPages(api))]) await shoot(admin, 'little', path)
})

test('much', async ({ admin, api }) => {
  await seedMuch(api)
  for (const path of [...ALWAYS, ...(await detailPages(api))]) await shoot(admin, 'much', path)
  await shoot(admin, 'much', '/images?view=list')
  await shoot(admin, 'much', '/no/such/page')
})

test('what opens over pages', async ({ admin, api }) => {
  await installSample(api, 'world-airports')
  await installSample(api, 'broken-example')
  await seedMuch(api)
  for (const { name, path, open } of await overlays(api))
    await shoot(admin, 'overlays', path, { name, open })
})

/** Pages of single objects, of any content. */
async function detailPages(api: APIRequestContext): Promise<string[]> {
  const first = async (path: string) => (await (await api.get(path)).json()).data[0]
  const user = await first('/api/users')
  const failed = await first('/api/plugins/history?filter=status:eq:PARTIAL')
  return [
    '/entities/Airport',
    '/entities/Airport/definition',
    '/entities/Country?record=DE',
    '/entities/Country?record=DE&edit=true',
    '/entities/Airport?create=true',
    '/entities/Airport?display=map',
    '/entities/Airport?filter=[{"field":"name","operator":"eq","value":"nowhere"}]',
    '/entities/Airport?filter=[{"field":"nome","operator":"eq","value":"a"}]',
    `/plugins/history/${failed.id}`,
    '/plugins/com.ourairports.world-airports',
    '/api-docs#searchAirportRecords',
    `/users/${user.userId}`,
  ]
}

type Act = { name?: string; open?: (page: Page) => Promise<unknown> }

async function shoot(page: Page, state: string, path: string, act: Act = {}): Promise<void> {
  const { name = nameOf(path), open } = act
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width < 500 ? 844 : 900 })
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.goto(path, { waitUntil: 'networkidle' })
      await open?.(page)
      await expect(page.locator('[aria-busy="true"], [data-skeleton]')).toHaveCount(0)
      const file = `${name}-${width}-${colorScheme}.png`
      await page.screenshot({ path: `e2e/screens/${state}/${file}` })
    }
  }
}

const nameOf = (path: string) =>
  path
    .slice(1)
    .replace(/[0-9a-f-]{36}/, 'ID')
    .replace(/[^A-Za-z0-9-]+/g, '_')
    .slice(0, 60) || 'dashboard'
