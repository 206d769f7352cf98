import type { APIRequestContext, Page } from '@playwright/test'
import { expect, installSample, test } from './fixtures'
import { seedMuch } from './seed-much'

const WIDTHS = [1440, 390]
const SCHEMES = ['light', 'dark'] as const

/** Pages that have something to show on any server. */
const ALWAYS = [
  '/',
  '/entities',
  '/plugins',
  '/plugins/history',
  '/images',
  '/users',
  '/users/new',
  '/mail',
  '/api-keys',
  '/audit',
  '/settings',
  '/profile',
  '/entities/EngineAuditLog',
]

test('the open pages', async ({ browser, baseURL }) => {
  const page = await browser.newPage({ baseURL })
  await shoot(page, 'open', ['/login', '/forgot-password', '/activate', '/reset-password'])
})

test('no data, little, much', async ({ admin, api }) => {
  await shoot(admin, 'empty', ALWAYS)
  await installSample(api, 'world-airports')
  await installSample(api, 'broken-example')
  await shoot(admin, 'little', [...ALWAYS, ...(await detailPages(api))])
  await seedMuch(api)
  await shoot(admin, 'much', [...ALWAYS, ...(await detailPages(api))])
})

/** Pages of single objects, on whatever there is. */
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
    '/entities/Airport?filter=[{"field":"name","operator":"eq","value":"nowhere"}]',
    '/entities/Airport?filter=[{"field":"nome","operator":"eq","value":"a"}]',
    `/plugins/history/${failed.id}`,
    '/plugins/com.ourairports.world-airports',
    `/users/${user.userId}`,
  ]
}

async function shoot(page: Page, state: string, paths: string[]): Promise<void> {
  for (const path of paths) {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width < 500 ? 844 : 900 })
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.goto(path, { waitUntil: 'networkidle' })
        await expect(page.locator('[aria-busy="true"], [data-skeleton]')).toHaveCount(0)
        const name =
          path
            .slice(1)
            .replace(/[0-9a-f-]{36}/, 'ID')
            .replace(/[^A-Za-z0-9-]+/g, '_')
            .slice(0, 60) || 'dashboard'
        await page.screenshot({ path: `e2e/screens/${state}/${name}-${width}-${colorScheme}.png` })
      }
    }
  }
}
