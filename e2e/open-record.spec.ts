import type { APIRequestContext, Page } from '@playwright/test'
import JSZip from 'jszip'
import { installBooks } from './books'
import { expect, expectAccessible, test } from './fixtures'

const LABEL = 'Letters that were received by the archive of the town and its neighbours'
const ARABIC = 'رسالة إلى المدينة'

/** An entity with a label, a title from right to left and a text of 5 KB. */
async function installLetters(api: APIRequestContext, name: string): Promise<void> {
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  put('engineplugin.json', { id: `test.${name}`, name, version: '1.0.0' })
  put('EngineSchemas/__manifest__.json', { target: 'EngineSchemas' })
  const properties = [
    { name: 'title', type: 'string' },
    { name: 'body', type: 'text' },
  ]
  put(`EngineSchemas/${name}.json`, { name, label: LABEL, properties })
  put('EngineEntities/__manifest__.json', { target: 'EngineEntities' })
  put(`EngineEntities/${name}.json`, { name })
  put(`${name}/__manifest__.json`, { target: name })
  const body = `${'A line of the letter that goes on. '.repeat(150)}The end.`
  put(`${name}/data.json`, [{ title: ARABIC, body }])
  const buffer = await zip.generateAsync({ type: 'nodebuffer' })
  const file = { name: `${name}.zip`, mimeType: 'application/zip', buffer }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect((await response.json()).data.failedCount).toBe(0)
}

const crumbs = (page: Page) => page.getByRole('navigation', { name: 'Breadcrumbs' })

test('the window and the breadcrumbs name the record that is open', async ({ admin, api }) => {
  await installBooks(api, 'Crumb')
  await admin.goto('/entities/Crumb')
  await expect(admin).toHaveTitle('Crumb · Engine')
  await admin.locator('tbody tr').nth(2).getByText('Book 002').click()
  await expect(admin).toHaveTitle('Book 002 · Crumb · Engine')
  await expect(crumbs(admin).locator('[aria-current="page"]')).toHaveText('Book 002')
  await expect(crumbs(admin)).toContainText('EntitiesCrumbBook 002')
  await admin.keyboard.press('j')
  await expect(admin).toHaveTitle('Book 003 · Crumb · Engine')
  await admin.keyboard.press('Escape')
  await expect(admin).toHaveTitle('Crumb · Engine')
  await expect(crumbs(admin).locator('[aria-current="page"]')).toHaveText('Crumb')
})

test('an entity is shown by its label, and a long one ends beside its count', async ({
  admin,
  api,
}) => {
  await installLetters(api, 'Letter')
  await admin.goto('/entities/Letter')
  await expect(admin.getByRole('heading', { level: 1 })).toHaveText(LABEL)
  await expect(crumbs(admin)).toContainText(LABEL)
  const link = admin.getByRole('link', { name: `${LABEL}, 1 record` })
  const text = link.locator('bdi')
  expect(await text.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true)
  await expect(text).toHaveCSS('text-overflow', 'ellipsis')
  await expect(link.getByText('1', { exact: true })).toBeInViewport({ ratio: 1 })
  await admin.goto('/entities')
  await admin.getByRole('searchbox', { name: 'Search entities' }).fill('archive of the town')
  await expect(admin.getByRole('table').getByRole('link', { name: LABEL })).toBeVisible()
})

test('a long text folds, and every text has its own direction', async ({ admin, api }) => {
  await installLetters(api, 'Folding')
  await admin.goto('/entities/Folding?record=1')
  const panel = admin.getByRole('dialog', { name: ARABIC })
  const text = panel.getByText('A line of the letter').first()
  const heightOf = async () => (await text.locator('..').boundingBox())?.height ?? 0
  expect(await heightOf()).toBeLessThan(200)
  await expectAccessible(admin)
  await panel.getByRole('button', { name: 'Show more' }).click()
  expect(await heightOf()).toBeGreaterThan(400)
  await panel.getByRole('button', { name: 'Show less' }).click()
  expect(await heightOf()).toBeLessThan(200)
  await expect(admin.locator('tbody td bdi').first()).toHaveCSS('direction', 'rtl')
  await panel.getByRole('button', { name: 'Edit' }).click()
  const field = admin.getByRole('textbox', { name: 'title' })
  await expect(field).toHaveCSS('direction', 'rtl')
  await field.fill('A letter')
  await expect(field).toHaveCSS('direction', 'ltr')
})

test('an open record is left, edited and saved by keys, which the list of keys names', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'KeyedRecord')
  await admin.goto('/entities/KeyedRecord?record=2')
  await expect(admin.getByRole('dialog', { name: 'Book 001' })).toBeVisible()
  await admin.keyboard.press('j')
  await expect(admin.getByRole('dialog', { name: 'Book 002' })).toBeVisible()
  await admin.keyboard.press('k')
  await expect(admin.getByRole('dialog', { name: 'Book 001' })).toBeVisible()
  await admin.keyboard.press('e')
  const form = admin.getByRole('dialog', { name: 'Edit Book 001' })
  await form.getByRole('textbox', { name: 'title' }).fill('Book one')
  await admin.keyboard.press('Control+Enter')
  await expect(admin.getByRole('dialog', { name: 'Book one' })).toBeVisible()
  await admin.keyboard.press('Escape')
  await admin.keyboard.press('?')
  const keys = admin.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const what of ['Edit the record', 'In any form: save', 'Next or previous record'])
    await expect(keys.getByText(what).first()).toBeVisible()
  await expectAccessible(admin)
})

test('an open record is printed whole and alone', async ({ admin, api }) => {
  await installLetters(api, 'Printed')
  await admin.emulateMedia({ colorScheme: 'dark' })
  await admin.goto('/entities/Printed?record=1')
  const panel = admin.getByRole('dialog', { name: ARABIC })
  await expect(panel).toBeVisible()
  const all = admin.locator('html')
  await expect(all).toHaveCSS('color-scheme', 'dark')
  await admin.emulateMedia({ media: 'print' })
  await expect(panel.getByText('The end.')).toBeVisible()
  await expect(all).toHaveCSS('color-scheme', 'light')
  await expect(admin.getByRole('table')).toBeHidden()
  await expect(panel.getByRole('button')).toHaveCount(0)
  await expect(panel).toHaveCSS('position', 'static')
  await expect(crumbs(admin)).toBeHidden()
  expect((await panel.boundingBox())?.y).toBeLessThan(40)
  // Where there is no room beside the table, a shade lies over it.
  await admin.emulateMedia({ media: 'screen' })
  await admin.setViewportSize({ width: 794, height: 1123 })
  const shade = admin.locator('[class*="bg-black/40"]')
  await expect(shade).toBeVisible()
  await admin.emulateMedia({ media: 'print' })
  await expect(shade).toBeHidden()
})
