import type { Page } from '@playwright/test'
import { expect, expectAccessible, showIn, test } from './fixtures'
import { overlays } from './screens-overlays'
import { ALWAYS, detailPages, OPEN } from './screens-pages'
import { seedLittle } from './seed-little'

// What no journey checks on its way; `screens.ts` checks everything at every width. Much is opened here, so busy
// machines take minutes.
test.setTimeout(600_000)

/** Of these no journey says that they are accessible. */
const UNSEEN = [
  '/trash',
  '/plugins',
  '/roles?view=roles',
  '/entities/EngineAuditLog',
  '/entities/Airport?create=true',
  '/entities/Ware?record=a&edit=true',
  '/plugins/com.ourairports.world-airports',
  '/no/such/page',
]

const settled = (page: Page) =>
  expect(page.locator('[aria-busy="true"], [data-skeleton]')).toHaveCount(0)

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  // A panel that is open hides the heading from the roles.
  await expect(page.locator('h1').first()).toBeAttached()
  await settled(page)
}

test('pages', async ({ admin, api }) => {
  await seedLittle(api)
  await showIn(admin, 'dark')
  const paths = [...ALWAYS, ...(await detailPages(api))]
  expect(UNSEEN.filter((path) => !paths.includes(path))).toEqual([])
  for (const path of UNSEEN) {
    await test.step(path, async () => {
      await open(admin, path)
      await expectAccessible(admin)
    })
  }
})

test('pages for people who are not signed in', async ({ visitor }) => {
  await showIn(visitor, 'dark')
  for (const path of OPEN.filter((each) => !each.startsWith('/api-docs'))) {
    await test.step(path, async () => {
      await open(visitor, path)
      await expectAccessible(visitor)
    })
  }
})

test('what opens over pages', async ({ admin, api }) => {
  await seedLittle(api)
  await showIn(admin, 'dark')
  const all = await overlays(api)
  for (const overlay of all.filter(({ journey }) => journey === undefined)) {
    await test.step(overlay.name, async () => {
      await open(admin, overlay.path)
      await overlay.open(admin)
      await settled(admin)
      await expectAccessible(admin)
    })
  }
})
