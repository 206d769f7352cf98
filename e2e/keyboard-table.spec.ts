import type { Page } from '@playwright/test'
import { installBooks, totalOf } from './books'
import { expect, test } from './fixtures'

const rowsOf = (page: Page) => page.getByRole('table').locator('tbody tr')
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

test('Tab comes to the table in one step and leaves it in one', async ({ admin, api }) => {
  await installBooks(api, 'Tabbed')
  await admin.goto('/entities/Tabbed')
  await expect(rowsOf(admin).first()).toBeVisible()
  await admin.getByRole('button', { name: 'Columns' }).focus()
  await press(admin, 'Tab')
  await expect(rowsOf(admin).first()).toBeFocused()
  await press(admin, 'j', 'j', 'Shift+Tab', 'Tab')
  await expect(rowsOf(admin).nth(2)).toBeFocused()
  await press(admin, 'Tab')
  await expect(admin.getByRole('table').locator(':focus')).toHaveCount(0)
})

test('records are selected, copied, filtered and deleted by keyboard', async ({ admin, api }) => {
  await installBooks(api, 'Keyed')
  await admin.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await admin.goto('/entities/Keyed')
  await rowsOf(admin).first().focus()
  await press(admin, 'x', 'j', 'j', 'x')
  await expect(admin.getByText('2 selected')).toBeVisible()
  await press(admin, 'ControlOrMeta+c')
  await expect(admin.getByText('Copied 2 rows')).toBeVisible()
  const lines = (await admin.evaluate(() => navigator.clipboard.readText())).split('\n')
  expect(lines.map((line) => line.split('\t').slice(0, 4))).toEqual([
    ['1', 'Book 000', 'novel', '1'],
    ['3', 'Book 002', 'poem', '3'],
  ])
  await press(admin, 'Escape')
  await expect(admin.getByText('2 selected')).toHaveCount(0)
  // From the row into its third cell, whose menu filters by it.
  await press(admin, 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Shift+F10')
  await admin.getByRole('menuitem', { name: 'Only with this value' }).focus()
  await press(admin, 'Enter')
  await expect(admin.getByRole('list', { name: 'Conditions' })).toContainText('Kind')
  await expect(rowsOf(admin).first()).toContainText('poem')
  await rowsOf(admin).first().focus()
  await press(admin, 'Space', 'Shift+ArrowDown')
  await expect(admin.getByText('2 selected')).toBeVisible()
  await admin.getByRole('button', { name: 'Delete' }).click()
  await admin.getByRole('button', { name: 'Delete 2' }).click()
  await expect(admin.getByText('2 records deleted')).toBeVisible()
  expect(await totalOf(api, 'Keyed', [{ field: 'kind', operator: 'eq', value: 'poem' }])).toBe(48)
})

test('headings sort and a record is edited without a pointer', async ({ admin, api }) => {
  await installBooks(api, 'TypedIn')
  await admin.goto('/entities/TypedIn')
  await rowsOf(admin).first().focus()
  const heading = admin.getByRole('columnheader', { name: /^ID/ })
  await press(admin, 'ArrowUp', 'ArrowRight', 'Enter')
  await expect(heading).toHaveAttribute('aria-sort', 'ascending')
  await expect(admin).toHaveURL(/sort=id:asc/)
  await press(admin, 'Enter')
  await expect(heading).toHaveAttribute('aria-sort', 'descending')
  await expect(rowsOf(admin).first()).toContainText('Book 149')
  await press(admin, 'ArrowDown', 'e')
  const title = admin.getByRole('dialog').getByLabel('title')
  await title.fill('Typed by hand')
  await press(admin, 'Enter')
  const query = [{ field: 'title', operator: 'eq', value: 'Typed by hand' }]
  await expect.poll(() => totalOf(api, 'TypedIn', query)).toBe(1)
  await expect(admin.getByRole('dialog').getByRole('button', { name: 'Edit' })).toBeVisible()
  await press(admin, 'Escape')
  await expect(rowsOf(admin).first()).toContainText('Typed by hand')
})

test('f opens the filter', async ({ admin, api }) => {
  await installBooks(api, 'Found')
  await admin.goto('/entities/Found')
  await rowsOf(admin).first().focus()
  await press(admin, 'f')
  await expect(admin.getByRole('dialog', { name: 'Filter' })).toBeVisible()
})
