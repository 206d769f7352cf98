import { makeImage } from '../lib/testing/images'
import { expect, expectAccessible, installSample, test } from './fixtures'

test('the palette goes to any page and entity', async ({ admin, api }) => {
  await installSample(api, 'world-airports')
  await admin.goto('/plugins')
  await admin.keyboard.press('Control+k')
  await admin.getByRole('combobox').fill('airport')
  await expect(admin.getByRole('option', { name: /Airport.*entity/ })).toBeVisible()
  await expectAccessible(admin)
  await admin.getByRole('option', { name: /^Airport.*entity/ }).click()
  await expect(admin).toHaveURL(/\/entities\/Airport$/)
})

test('marks are lines where the system has colors of its own', async ({ admin, api }) => {
  await installSample(api, 'world-airports')
  await admin.emulateMedia({ forcedColors: 'active' })
  await admin.goto('/entities/Airport')
  const tick = admin.getByRole('row').nth(1).getByRole('checkbox')
  await tick.check()
  await expect(tick).toHaveCSS('appearance', 'auto')
  for (const marked of [
    admin.getByRole('row').nth(1),
    admin.getByRole('navigation', { name: 'Main' }).locator('[aria-current="page"]'),
    admin.getByRole('button', { name: 'Page 1', exact: true }),
  ])
    await expect(marked).toHaveCSS('outline-style', 'solid')
})

test('a list is printed without what only a screen can use', async ({ admin, api }) => {
  await installSample(api, 'world-airports')
  await admin.goto('/entities/Airport')
  await admin.emulateMedia({ media: 'print' })
  await expect(admin.getByRole('columnheader', { name: 'name' }).first()).toBeVisible()
  for (const hidden of [
    admin.getByRole('navigation', { name: 'Main' }),
    admin.getByRole('button', { name: 'Filter' }),
    admin.getByRole('searchbox'),
  ])
    await expect(hidden).toBeHidden()
})

test('the palette finds images', async ({ admin, api }) => {
  const buffer = await makeImage('png')
  const file = { name: 'palette.png', mimeType: 'image/png', buffer }
  const multipart = { namespace: 'shell', assetId: 'palette', file }
  expect((await api.post('/api/images/upload', { multipart })).status()).toBe(201)
  await admin.goto('/plugins')
  await admin.keyboard.press('Control+k')
  await admin.getByRole('combobox').fill('shell/pal')
  await admin.getByRole('option', { name: /shell\/palette.*image/ }).click()
  await expect(admin).toHaveURL(/\/images\?image=/)
  await expect(admin.getByRole('dialog')).toContainText('palette')
})

test('keys lead to pages and show themselves', async ({ admin }) => {
  await admin.goto('/entities')
  await admin.keyboard.press('g')
  await admin.keyboard.press('p')
  await expect(admin).toHaveURL(/\/plugins$/)
  await admin.keyboard.press('?')
  await expect(admin.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectAccessible(admin)
})

test('the sidebar stays as it was left', async ({ admin }) => {
  await admin.goto('/entities')
  await admin.getByRole('button', { name: 'Collapse the sidebar' }).click()
  await admin.reload()
  await expect(admin.getByRole('button', { name: 'Expand the sidebar' })).toBeVisible()
  await expectAccessible(admin)
})

test('the first Tab skips to the content', async ({ admin }) => {
  await admin.goto('/entities')
  await admin.keyboard.press('Tab')
  await admin.keyboard.press('Enter')
  await expect(admin.locator('#content')).toBeFocused()
})

test('the theme is chosen and kept without a flash', async ({ admin }) => {
  await admin.goto('/plugins')
  await admin.getByRole('button', { name: /^Account / }).click()
  await admin.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect(admin.locator('html')).toHaveClass(/dark/)
  await admin.reload({ waitUntil: 'commit' })
  await expect(admin.locator('html')).toHaveClass(/dark/)
  await expectAccessible(admin)
})

test('a click on a page whose scripts are still being fetched is not lost', async ({ admin }) => {
  let fetchAll = () => {}
  const fetched = new Promise<void>((resolve) => {
    fetchAll = resolve
  })
  await admin.route(/_next\/static\/chunks\/.*\.js/, async (route) => {
    await fetched
    await route.continue()
  })
  await admin.goto('/', { waitUntil: 'commit' })
  const account = admin.getByRole('button', { name: /^Account / })
  await account.click()
  await account.click()
  await expect(admin.getByRole('menu')).toBeHidden()
  fetchAll()
  await expect(admin.getByRole('menu')).toBeVisible()
})
