import type { Page } from '@playwright/test'
import { installBooks } from './books'
import { expect, expectAccessible, test } from './fixtures'
import { seedLittle } from './seed-little'

const paletteOf = (page: Page) => page.getByRole('dialog', { name: 'Search and commands' })

/** Names that are like those of pages, actions, records or other entities. */
const LIKE_OTHERS = ['Plugin', 'Use', 'Airport', 'Ware', 'Country']

/** As somebody who knows the way does it: no key waits for anything. */
async function typeAtOnce(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

test('the palette opens the entity whose name is typed fast, whatever else is like it', async ({
  admin,
  api,
}) => {
  await seedLittle(api)
  await installBooks(api, 'Plugin')
  await installBooks(api, 'Use')
  await admin.goto('/audit')
  for (const name of LIKE_OTHERS) {
    await typeAtOnce(admin, name)
    await expect(admin).toHaveURL(new RegExp(`/entities/${name}$`))
    await expect(paletteOf(admin)).toHaveCount(0)
  }
})

test('a name that is pasted is opened too, and Enter waits for slow answers', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Pasted')
  await admin.goto('/audit')
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await admin.route('**/api/entities', async (route) => {
    await held
    await route.continue()
  })
  await admin.keyboard.press('Control+k')
  await paletteOf(admin).getByRole('combobox').fill('Pasted')
  await admin.keyboard.press('Enter')
  await expect(paletteOf(admin)).toBeVisible()
  release()
  await expect(admin).toHaveURL(/\/entities\/Pasted$/)
})

test('arrows choose what Enter opens, while better results come', async ({ admin, api }) => {
  await installBooks(api, 'Arrow')
  await admin.goto('/audit')
  await admin.keyboard.press('Control+k')
  await paletteOf(admin).getByRole('combobox').fill('Arrow')
  const plugin = paletteOf(admin).getByRole('option', { name: /^Arrow\s*plugin$/ })
  await expect(plugin).toBeVisible()
  await expect(
    paletteOf(admin)
      .getByRole('option', { name: /^Arrow.*entity/ })
      .first(),
  ).toHaveAttribute('aria-selected', 'true')
  await admin.keyboard.press('ArrowDown')
  await expect(plugin).toHaveAttribute('aria-selected', 'true')
  await expectAccessible(admin)
  await admin.keyboard.press('Enter')
  await expect(admin).toHaveURL(/\/plugins\/test\.Arrow$/)
})

test('what a menu of the page holds is run from the palette', async ({ admin, api }) => {
  await installBooks(api, 'Menu')
  await admin.goto('/entities/Menu')
  await typeAtOnce(admin, 'API')
  await expect(admin.getByRole('dialog', { name: 'API' })).toBeVisible()
  await admin.keyboard.press('Escape')
  await typeAtOnce(admin, 'Deleted records')
  await expect(admin).toHaveURL(/\/trash\?entity=Menu$/)
  await admin.goto('/entities/Menu')
  await typeAtOnce(admin, 'Definition')
  await expect(admin).toHaveURL(/\/entities\/Menu\/definition$/)
})
