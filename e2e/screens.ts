import { expect, type Page } from '@playwright/test'
import { expectAccessible, test } from './fixtures'
import { overlays } from './screens-overlays'
import { ALWAYS, detailPages, OPEN } from './screens-pages'
import { seedLittle } from './seed-little'
import { seedMuch } from './seed-much'

const WIDTHS = [1440, 768, 390]
const SCHEMES = ['light', 'dark'] as const

test('the open pages', async ({ browser, baseURL }) => {
  const page = await browser.newPage({ baseURL })
  for (const path of OPEN) await shoot(page, 'open', path)
})

test('no data', async ({ admin }) => {
  for (const path of ALWAYS) await shoot(admin, 'empty', path)
})

test('little', async ({ admin, api }) => {
  await seedLittle(api)
  for (const path of [...ALWAYS, ...(await detailPages(api))]) await shoot(admin, 'little', path)
})

test('much', async ({ admin, api }) => {
  await seedLittle(api)
  await seedMuch(api)
  for (const path of [...ALWAYS, ...(await detailPages(api))]) await shoot(admin, 'much', path)
  await shoot(admin, 'much', '/images?view=list')
})

test('what opens over pages', async ({ admin, api }) => {
  await seedLittle(api)
  await seedMuch(api)
  for (const { name, path, open } of await overlays(api))
    await shoot(admin, 'overlays', path, { name, open })
})

type Act = { name?: string; open?: (page: Page) => Promise<unknown> }

async function shoot(page: Page, state: string, path: string, act: Act = {}): Promise<void> {
  const { name = nameOf(path), open } = act
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width < 500 ? 844 : 900 })
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await page.goto(path, { waitUntil: 'networkidle' })
    await open?.(page)
    await expect(page.locator('[aria-busy="true"], [data-skeleton]')).toHaveCount(0)
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme })
      const file = `${name}-${width}-${colorScheme}.png`
      await page.screenshot({ path: `e2e/screens/${state}/${file}` })
    }
    const found = await expectAccessible(page).then(() => '', String)
    expect.soft(found, `${state}: ${name} at ${width} pixels`).toBe('')
  }
}

const nameOf = (path: string) =>
  path
    .slice(1)
    .replace(/[0-9a-f-]{36}/, 'ID')
    .replace(/[^A-Za-z0-9-]+/g, '_')
    .slice(0, 60) || 'dashboard'
