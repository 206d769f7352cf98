import { readFileSync } from 'node:fs'
import { type APIRequestContext, expect, type Page } from '@playwright/test'

import { makeImage } from '../lib/testing/images'

export type Overlay = { name: string; path: string; open: (page: Page) => Promise<unknown> }

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click()

const zip = (name: string) => ({
  name: `${name}.zip`,
  mimeType: 'application/zip',
  buffer: readFileSync(`public/samples/${name}.zip`),
})

const NESTED = [
  { field: 'type', operator: 'eq', value: 'large_airport' },
  {
    operator: 'or',
    filters: [
      { field: 'elevationFt', operator: 'between', value: [0, 1000] },
      { field: 'country', operator: 'in', value: ['DE', 'FR', 'ES', 'IT'] },
    ],
  },
]
const FILTERED = `/entities/Airport?sort=name:desc&filter=${encodeURIComponent(JSON.stringify(NESTED))}`

const WRONG = `/entities/Airport?filter=${encodeURIComponent(JSON.stringify([{ field: 'elevationFt', operator: 'gt', value: 'high' }]))}`

/** The overlays of a page with much data. */
export async function overlays(api: APIRequestContext): Promise<Overlay[]> {
  const first = async (path: string) => (await (await api.get(path)).json()).data[0]
  const mail = await first('/api/mails')
  const image = await first('/api/images')
  const waiting = await first('/api/users?filter=status:eq:REQUIRED_ACTIVATION')
  return [
    { name: 'menu', path: '/entities', open: openMenu },
    { name: 'account', path: '/', open: press(/^Account /) },
    { name: 'commands', path: '/', open: keys('Control+k') },
    { name: 'commands-found', path: '/', open: findPort },
    { name: 'shortcuts', path: '/', open: keys('?') },
    { name: 'plan', path: '/plugins', open: plan(['broken-example']) },
    { name: 'plans-queued', path: '/plugins', open: plan(['world-airports', 'broken-example']) },
    { name: 'filtered', path: FILTERED, open: async () => {} },
    { name: 'filter-new', path: '/entities/Airport', open: openFields },
    { name: 'filter-wrong', path: WRONG, open: openPanel(/^Wrong condition/, 'Apply') },
    { name: 'filter', path: FILTERED, open: openPanel(/^Filter/, 'Apply') },
    { name: 'columns', path: FILTERED, open: openPanel('Columns', 'Reset columns and widths') },
    { name: 'views', path: FILTERED, open: press('Views') },
    { name: 'view-save', path: FILTERED, open: saveView },
    { name: 'export', path: FILTERED, open: press('Export') },
    { name: 'api', path: FILTERED, open: dialogOf('API') },
    { name: 'selected', path: '/entities/Airport', open: selectPage },
    { name: 'delete-all', path: '/entities/Airport', open: deleteAll },
    {
      name: 'delete-one',
      path: '/entities/Country?record=DE',
      open: dialogOf('Delete', 'alertdialog'),
    },
    { name: 'record-json', path: '/entities/Country?record=DE&edit=true', open: jsonTab },
    { name: 'key', path: '/api-keys', open: dialogOf('New key') },
    { name: 'key-shown', path: '/api-keys', open: createKey },
    { name: 'mail', path: `/mail?mail=${mail.id}`, open: shown },
    { name: 'audit', path: '/audit', open: openRow },
    { name: 'user', path: `/users/${waiting.userId}`, open: press('More actions') },
    { name: 'user-edit', path: `/users/${waiting.userId}`, open: dialogOf('Edit') },
    { name: 'rights', path: '/roles', open: openRow },
    { name: 'image', path: `/images?image=${image.fileId}`, open: shown },
    { name: 'upload', path: '/images', open: chooseImages },
    { name: 'unsaved', path: '/entities/Country?create=true', open: leaveForm },
    { name: 'draft', path: '/entities/Country?create=true', open: draftShown },
  ]
}

const dialogOf =
  (name: string, role: 'dialog' | 'alertdialog' = 'dialog') =>
  async (page: Page) => {
    await press(name)(page)
    await expect(page.getByRole(role)).toBeVisible()
  }

const keys = (combination: string) => async (page: Page) => {
  await page.keyboard.press(combination)
  await shown(page)
}

/** A panel whose code is loaded on opening is complete when the last of its buttons is there. */
const openPanel = (name: string | RegExp, last: string) => async (page: Page) => {
  await press(name)(page)
  await expect(page.getByRole('button', { name: last })).toBeVisible()
}

async function openFields(page: Page): Promise<void> {
  await press('Filter')(page)
  await expect(page.getByRole('option').first()).toBeVisible()
}

const shown = (page: Page) => expect(page.getByRole('dialog')).toBeVisible()
async function openRow(page: Page): Promise<void> {
  await page.getByRole('row').nth(1).getByRole('button').first().click()
  await shown(page)
}

async function saveView(page: Page): Promise<void> {
  await press('Views')(page)
  await page.getByRole('menuitem', { name: 'Save as a new view' }).click()
  await shown(page)
}

async function openMenu(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Open the menu' })
  if (await menu.isVisible()) {
    await menu.click()
    await shown(page)
  } else await page.getByRole('button', { name: /sidebar/i }).click()
}

async function findPort(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('port')
  await expect(page.getByRole('option', { name: /Airport/ }).first()).toBeVisible()
}

const plan = (names: string[]) => async (page: Page) => {
  await page.getByLabel('Plugin archives').setInputFiles(names.map(zip))
  await expect(page.getByText('Ready to install')).toHaveCount(names.length)
}

async function selectPage(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
}

async function deleteAll(page: Page): Promise<void> {
  await selectPage(page)
  await page.getByRole('button', { name: /^Select all .* matching$/ }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('button', { name: /^Delete \d/ })).toBeVisible()
}

const jsonTab = (page: Page) => page.getByRole('tab', { name: 'JSON' }).click()

async function createKey(page: Page): Promise<void> {
  await press('New key')(page)
  await page.getByRole('textbox', { name: 'Name' }).fill('Nightly import')
  await page.getByRole('radio', { name: /^All of your rights/ }).click()
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByRole('dialog').getByText(/^eng_/)).toBeVisible()
}

async function leaveForm(page: Page): Promise<void> {
  const panel = page.getByRole('dialog')
  await panel.getByRole('textbox').first().fill('Half a name')
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
}

/** What `leaveForm` left behind. */
const draftShown = (page: Page) =>
  expect(page.getByRole('button', { name: 'Discard draft' })).toBeVisible()

async function chooseImages(page: Page): Promise<void> {
  const buffer = await makeImage('png', { width: 320, height: 200 })
  const files = ['front.png', 'a-rather-long-name-of-a-picture-of-the-back-side.png']
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(files.map((name) => ({ name, mimeType: 'image/png', buffer })))
  await expect(page.getByText('front.png')).toBeVisible()
}
