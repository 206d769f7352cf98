import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { makeImage } from '../lib/testing/images'

export type Open = (page: Page) => Promise<unknown>

export const press =
  (name: string | RegExp): Open =>
  (page) =>
    page.getByRole('button', { name, exact: true }).first().click()

const zip = (name: string) => ({
  name: `${name}.zip`,
  mimeType: 'application/zip',
  buffer: readFileSync(`public/samples/${name}.zip`),
})

export const dialogOf =
  (name: string | RegExp, role: 'dialog' | 'alertdialog' = 'dialog') =>
  async (page: Page) => {
    await press(name)(page)
    await expect(page.getByRole(role)).toBeVisible()
  }

export const keys = (combination: string) => async (page: Page) => {
  await page.keyboard.press(combination)
  await shown(page)
}

/** A panel whose code is loaded on opening is complete when the last of its buttons is there. */
export const openPanel = (name: string | RegExp, last: string) => async (page: Page) => {
  await press(name)(page)
  await expect(page.getByRole('button', { name: last })).toBeVisible()
}

export async function openFields(page: Page): Promise<void> {
  await press('Filter')(page)
  await expect(page.getByRole('option').first()).toBeVisible()
}

export const shown = (page: Page) => expect(page.getByRole('dialog')).toBeVisible()
export async function openRow(page: Page): Promise<void> {
  await page.getByRole('row').nth(1).getByRole('button').first().click()
  await shown(page)
}

export async function saveView(page: Page): Promise<void> {
  await press('Views')(page)
  await page.getByRole('menuitem', { name: 'Save as a new view' }).click()
  await shown(page)
}

export async function openMenu(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Open the menu' })
  if (await menu.isVisible()) {
    await menu.click()
    await shown(page)
  } else await page.getByRole('button', { name: /sidebar/i }).click()
}

export async function findPort(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('port')
  await expect(page.getByRole('option', { name: /Airport/ }).first()).toBeVisible()
}

export const plan = (names: string[]) => async (page: Page) => {
  await page.getByLabel('Plugin archives').setInputFiles(names.map(zip))
  await expect(page.getByText('Ready to install')).toHaveCount(names.length, { timeout: 60_000 })
}

export async function selectPage(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
}

export async function deleteAll(page: Page): Promise<void> {
  await selectPage(page)
  await page.getByRole('button', { name: /^Select all .* matching$/ }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('button', { name: /^Delete \d/ })).toBeVisible()
}

export async function historyTab(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(page.getByText(/^History is off/)).toBeVisible()
}

export const jsonTab = (page: Page) => page.getByRole('tab', { name: 'JSON' }).click()

export async function createKey(page: Page): Promise<void> {
  await press('New key')(page)
  await page.getByRole('textbox', { name: 'Name' }).fill('Nightly import')
  await page.getByRole('radio', { name: /^All of your rights/ }).click()
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByRole('dialog').getByText(/^eng_/)).toBeVisible()
}

export async function leaveForm(page: Page): Promise<void> {
  const panel = page.getByRole('dialog')
  await panel.getByRole('textbox').first().fill('Half a name')
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
}

/** What `leaveForm` left behind. */
export const draftShown = (page: Page) =>
  expect(page.getByRole('button', { name: 'Discard draft' })).toBeVisible()

export async function chooseImages(page: Page): Promise<void> {
  const buffer = await makeImage('png', { width: 320, height: 200 })
  const files = ['front.png', 'a-rather-long-name-of-a-picture-of-the-back-side.png']
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(files.map((name) => ({ name, mimeType: 'image/png', buffer })))
  await expect(page.getByText('front.png')).toBeVisible()
}

/** The labels of all images of the page. */
export async function editLabels(page: Page): Promise<void> {
  await page.getByRole('option').first().focus()
  await page.keyboard.press('ControlOrMeta+a')
  await dialogOf('Edit labels')(page)
}

/** Presses what stands in the menu of a button. */
export const menuItem = (button: string | RegExp, item: string, opens?: 'dialog' | 'alertdialog') =>
  async function choose(page: Page): Promise<void> {
    await press(button)(page)
    await page.getByRole('menuitem', { name: item, exact: true }).click()
    if (opens) await expect(page.getByRole(opens)).toBeVisible()
  }

export async function openCellMenu(page: Page): Promise<void> {
  await page.getByRole('table').locator('tbody tr').first().focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menu')).toBeVisible()
}

export async function pickReference(page: Page): Promise<void> {
  const panel = page.getByRole('dialog')
  await panel.getByPlaceholder('Find in Country').fill('Ger')
  await expect(page.getByRole('option').first()).toBeVisible()
}

/** What the server refuses, at its fields. */
export async function refuseForm(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByText('Enter a value').first()).toBeVisible()
}

/** The session is over when a form is sent; it is back afterwards. */
export async function signInOverForm(page: Page): Promise<void> {
  const session = await page.context().cookies()
  const panel = page.getByRole('dialog')
  await panel.getByRole('textbox').first().fill('ZZ')
  await page.context().clearCookies()
  await panel.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Sign in to continue' })).toBeVisible()
  await page.context().addCookies(session)
}

export async function editView(page: Page): Promise<void> {
  await menuItem('Views', 'Manage views', 'dialog')(page)
  await page
    .getByRole('button', { name: /^Edit the view/ })
    .first()
    .click()
  await expect(page.getByRole('dialog', { name: 'Edit the view' })).toBeVisible()
}

/** An edit of many records with its preview. */
export async function editMatching(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Edit .*matching records$/ }).click()
  await page.getByRole('option', { name: /^Elevation/ }).click()
  await page.getByLabel('New value').fill('12')
  await expect(page.getByRole('table', { name: 'Sample' })).toBeVisible()
}

/** Two countries, one of them wrong, up to the end of their check. */
export async function importCountries(page: Page): Promise<void> {
  const text = 'code,name,continnent,remarks\nZY,Northland,EU,\nZZ,,EU,without a name\n'
  const file = { name: 'countries.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
  await page.locator('input[type=file]').first().setInputFiles(file)
  await expect(page.getByText('2 rows checked:')).toBeVisible()
}

export async function editCell(page: Page): Promise<void> {
  await page.locator('td[data-field="name"]').nth(2).dblclick()
  await expect(page.getByRole('dialog', { name: /^Edit / })).toBeVisible()
}
