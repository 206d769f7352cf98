import type { Page } from '@playwright/test'
import { installBooks, ROWS } from './books'
import { expect, expectAccessible, test } from './fixtures'

/** Other tests have installed plugins too: the sidebar shows the first ones until asked for more. */
async function showAllPlugins(page: Page): Promise<void> {
  await expect(page.getByRole('region', { name: /^Entities of/ }).first()).toBeVisible()
  const more = page.getByRole('button', { name: /^Entities of \d+ more plugin/ })
  if (await more.isVisible()) await more.click()
}

test('an entity of the sidebar opens with one click, is pinned and stays so', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Sidebar')
  await admin.goto('/audit')
  await showAllPlugins(admin)
  const group = admin.getByRole('region', { name: 'Entities of Sidebar' })
  await group.getByRole('link', { name: `Sidebar, ${ROWS} records` }).click()
  await expect(admin).toHaveURL(/\/entities\/Sidebar$/)
  await expect(group.getByRole('link', { name: /^Sidebar,/ })).toHaveAttribute(
    'aria-current',
    'page',
  )
  await group.getByRole('button', { name: 'Pin Sidebar', exact: true }).click()
  const pinned = admin.getByRole('region', { name: 'Pinned entities' })
  await expect(pinned.getByRole('link', { name: /^Sidebar,/ })).toBeVisible()
  await admin.reload()
  await expect(pinned.getByRole('link', { name: /^Sidebar,/ })).toBeVisible()
  await expectAccessible(admin)
  await pinned.getByRole('button', { name: 'Unpin Sidebar', exact: true }).click()
  await expect(pinned).toHaveCount(0)
})

test('a group is folded away and stays so; its open entity is in sight', async ({ admin, api }) => {
  await installBooks(api, 'Folded')
  await admin.goto('/audit')
  await showAllPlugins(admin)
  const group = admin.getByRole('region', { name: 'Entities of Folded' })
  await expect(group.getByRole('link')).not.toHaveCount(0)
  const fold = group.getByRole('button', { name: 'Folded', exact: true })
  await expect(async () => {
    if ((await group.getByRole('link').count()) > 0) await fold.click()
    await expect(group.getByRole('link')).toHaveCount(0, { timeout: 1_000 })
  }).toPass()
  await admin.goto('/entities/Folded')
  await expect(group.getByRole('link')).toHaveCount(1)
  await expect(group.getByRole('link')).toBeInViewport()
  await group.getByRole('button', { name: 'Folded', exact: true }).click()
})

test('the entry of the open page is in sight, below many entities too', async ({ admin, api }) => {
  await installBooks(api, 'Sighted')
  await admin.setViewportSize({ width: 1280, height: 400 })
  await admin.goto('/settings')
  const entry = admin
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Settings' })
  await expect(entry).toBeInViewport()
})

test('the count of an entity follows a deletion', async ({ admin, api }) => {
  await installBooks(api, 'Counted')
  await admin.goto('/entities/Counted')
  await admin.getByRole('table').locator('tbody tr').first().focus()
  await admin.keyboard.press('x')
  await admin.getByRole('button', { name: 'Delete' }).click()
  await admin.getByRole('button', { name: 'Delete record' }).click()
  await expect(admin.getByRole('link', { name: `Counted, ${ROWS - 1} records` })).toBeVisible()
})

test('a record that was opened is one click away from any page', async ({ admin, api }) => {
  await installBooks(api, 'Recent')
  await admin.goto('/entities/Recent?record=42')
  await expect(admin.getByRole('dialog', { name: 'Book 041' })).toBeVisible()
  await admin.goto('/audit')
  await admin
    .getByRole('region', { name: 'Recent records' })
    .getByRole('link', { name: /^Book 041/ })
    .click()
  await expect(admin.getByRole('dialog', { name: 'Book 041' })).toBeVisible()
})

test('the palette finds a record by a text and by its key', async ({ admin, api }) => {
  await installBooks(api, 'Sought')
  await admin.goto('/audit')
  await admin.keyboard.press('Control+k')
  await admin.getByRole('dialog').getByRole('combobox').fill('Sought: book 07')
  await expect(admin.getByRole('option', { name: /^Book 07\d.*Sought/ }).first()).toBeVisible()
  await expectAccessible(admin)
  await admin.getByRole('dialog').getByRole('combobox').fill('Sought: 100')
  await admin.getByRole('option', { name: /^Book 099.*Sought 100/ }).click()
  await expect(admin.getByRole('dialog', { name: 'Book 099' })).toBeVisible()
})

test('the palette knows other words, and what the page offers', async ({ admin, api }) => {
  await installBooks(api, 'Offered')
  await admin.goto('/entities/Offered')
  await admin.keyboard.press('Control+k')
  await admin.getByRole('dialog').getByRole('combobox').fill('create')
  await admin.getByRole('option', { name: 'Create', exact: true }).click()
  await expect(admin.getByRole('dialog')).toContainText('New')
  await admin.keyboard.press('Escape')
  await admin.keyboard.press('Control+k')
  await admin.getByRole('dialog').getByRole('combobox').fill('new user')
  await admin.keyboard.press('Enter')
  await expect(admin).toHaveURL(/\/users\/new$/)
})

test('a page on its way is shown at once', async ({ admin, api }) => {
  await installBooks(api, 'Awaited')
  await admin.goto('/audit')
  await showAllPlugins(admin)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await admin.route('**/entities/Awaited?_rsc=*', async (route) => {
    await held
    await route.continue()
  })
  await admin.getByRole('link', { name: /^Awaited,/ }).click()
  await expect(admin.getByText('Loading the page')).toBeAttached()
  release()
  await expect(admin).toHaveURL(/\/entities\/Awaited$/)
  await expect(admin.getByText('Loading the page')).toHaveCount(0)
})

test('a password shows itself and its strength while it is typed', async ({ admin }) => {
  await admin.goto('/profile')
  const field = admin.getByLabel('New password')
  await field.fill('qwertyuiop')
  await expect(admin.getByText(/^(Very weak|Weak)$/)).toBeVisible()
  await field.fill('correct horse battery staple')
  await expect(admin.getByText('Very strong')).toBeVisible()
  await admin.getByRole('button', { name: 'Show the characters' }).last().click()
  await expect(field).toHaveAttribute('type', 'text')
  await expectAccessible(admin)
})
