import type { Locator, Page } from '@playwright/test'
import { installBooks } from './books'
import { expect, test } from './fixtures'
import { signedIn } from './signed-in'

/** The link of an entity in the sidebar, where other tests' plugins are too. */
async function linkOf(page: Page, entity: string): Promise<Locator> {
  await expect(page.getByRole('region', { name: /^Entities of/ }).first()).toBeVisible()
  const more = page.getByRole('button', { name: /^Entities of \d+ more plugin/ })
  if (await more.isVisible()) await more.click()
  return page.getByRole('link', { name: new RegExp(`^${entity}, `) })
}

/** Puts the pointer on the link, until the page is there: its frame, then its records. */
async function hover(page: Page, entity: string, link: Locator): Promise<void> {
  await link.hover()
  const received = () =>
    page.evaluate(
      (path) =>
        performance
          .getEntriesByType('resource')
          .filter(({ name }) => new URL(name).pathname === path).length,
      `/entities/${entity}`,
    )
  await expect.poll(received).toBeGreaterThan(1)
}

const isPageOf = (url: string, entity: string) => new URL(url).pathname === `/entities/${entity}`

/** Holds back every request for the page and the records of the entity; returns what lets them go. */
async function hold(page: Page, entity: string): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(
    (url) => isPageOf(url.href, entity) || url.pathname.startsWith(`/api/entities/${entity}/`),
    async (route) => {
      await released
      await route.continue()
    },
  )
  return release
}

test('an entity is fetched with the pointer on its link, and what has changed since is asked for', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Ahead')
  await admin.goto('/audit')
  const link = await linkOf(admin, 'Ahead')
  await hover(admin, 'Ahead', link)
  const { data } = await (await api.get('/api/entities/Ahead?filter=title:eq:Book 000')).json()
  const path = `/api/entities/Ahead/${data[0].persistenceId}`
  const changed = await api.patch(path, { data: { title: 'Changed by another' } })
  expect(changed.status()).toBe(200)
  const release = await hold(admin, 'Ahead')
  await link.click()
  await expect(admin).toHaveURL(/\/entities\/Ahead$/)
  // Nothing of it has come since the click.
  await expect(admin.getByText('Book 000', { exact: true })).toBeVisible()
  release()
  await expect(admin.getByText('Changed by another', { exact: true })).toBeVisible()
  await expect(admin.getByText('Book 000', { exact: true })).toHaveCount(0)
})

test('records that were fetched ahead leave the screen once their reader may not read them', async ({
  browser,
  api,
}) => {
  await installBooks(api, 'Withdrawn')
  const { page } = await signedIn(browser, api, ['VIEWER'])
  await page.goto('/profile')
  const link = await linkOf(page, 'Withdrawn')
  await hover(page, 'Withdrawn', link)
  const policy = {
    ...{ name: 'Nobody reads Withdrawn', principals: ['VIEWER'], entities: ['Withdrawn'] },
    ...{ actions: ['read'], allow: false },
  }
  const made = await api.post('/api/policies', { data: policy })
  expect(made.status()).toBe(201)
  const release = await hold(page, 'Withdrawn')
  await link.click()
  await expect(page.getByText('Book 000', { exact: true })).toBeVisible()
  release()
  await expect(page.getByText('Book 000', { exact: true })).toHaveCount(0)
  await page.context().close()
  await api.delete(`/api/policies/${(await made.json()).data[0].id}`)
})
