import { expect, expectAccessible, installSample, test } from './fixtures'
import { signedIn } from './signed-in'

/** The page of a viewer, signed in. */
const reader = test.extend<{ viewer: import('@playwright/test').Page }>({
  viewer: async ({ browser, api }, use) => {
    const { page } = await signedIn(browser, api, ['VIEWER'])
    await use(page)
    await page.context().close()
  },
})

reader('who may only read gets no form, whatever the address says', async ({ viewer, api }) => {
  await installSample(api, 'world-airports')
  await viewer.goto('/entities/Country?create=true')
  const table = viewer.getByRole('table', { name: 'Records of Country' })
  await expect(table.getByRole('row').nth(1)).toBeVisible()
  await expect(viewer.getByRole('dialog')).toHaveCount(0)
  await expect(viewer.getByRole('button', { name: 'Create' })).toHaveCount(0)

  await viewer.goto('/entities/Country?record=DE&edit=true')
  const panel = viewer.getByRole('dialog')
  await expect(panel.getByText('Germany').first()).toBeVisible()
  await expect(panel.getByRole('textbox')).toHaveCount(0)
  for (const name of ['Save', 'Edit', 'Delete'])
    await expect(panel.getByRole('button', { name, exact: true })).toHaveCount(0)
  await expectAccessible(viewer)

  await viewer.goto('/images?upload=true')
  await expect(viewer.getByRole('heading', { name: 'Images' })).toBeVisible()
  await expect(viewer.getByRole('dialog')).toHaveCount(0)

  const closed = [
    '/users',
    '/users/new',
    '/new-entity',
    '/roles',
    '/api-keys',
    '/plugins',
    '/plugins/history',
    '/mail',
  ]
  for (const path of [...closed, '/audit', '/settings', '/trash', '/entities/EngineUsers']) {
    await viewer.goto(path)
    await expect(viewer.getByText('You don’t have access to this page'), path).toBeVisible()
  }
  await viewer.goto('/entities')
  const nav = viewer.getByRole('navigation', { name: 'Main' })
  await expect(nav.getByRole('link', { name: 'Entities', exact: true })).toBeVisible()
  for (const name of [
    'Recently changed',
    'Plugins',
    'History',
    'Users',
    'Roles',
    'Mail',
    'Audit',
    'Settings',
  ])
    await expect(nav.getByRole('link', { name, exact: true }), name).toHaveCount(0)
  await expect(nav.getByRole('link', { name: 'API keys' })).toHaveCount(0)
})
