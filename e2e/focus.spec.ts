import type { Locator, Page } from '@playwright/test'
import { installBooks } from './books'
import { expect, test } from './fixtures'
import { tabTo } from './keys'

const rowsOf = (page: Page) => page.getByRole('table').locator('tbody tr')

/** A table of books with the focus on its third row. */
async function atThirdRow(page: Page, name: string): Promise<Locator> {
  await page.goto(`/entities/${name}`)
  const row = rowsOf(page).nth(2)
  await expect(row).toContainText('Book 002')
  await row.focus()
  return row
}

async function confirmDeletion(page: Page, label: string): Promise<void> {
  const question = page.getByRole('alertdialog')
  await tabTo(question.getByRole('button', { name: label }))
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
}

test('after a record is deleted in its panel the next row has the focus, and Undo is a key away', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'FocusPanel')
  await atThirdRow(admin, 'FocusPanel')
  await admin.keyboard.press('Enter')
  const panel = admin.getByRole('dialog')
  await tabTo(panel.getByRole('button', { name: 'Delete', exact: true }))
  await admin.keyboard.press('Enter')
  await confirmDeletion(admin, 'Delete record')
  await expect(panel).toBeHidden()
  await expect(rowsOf(admin).nth(2)).toContainText('Book 003')
  await expect(rowsOf(admin).nth(2)).toBeFocused()

  await admin.keyboard.press('?')
  const keys = admin.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(keys.getByText('To the notices, then Tab to Undo')).toBeVisible()
  await admin.keyboard.press('Escape')
  await expect(rowsOf(admin).nth(2)).toBeFocused()
  await admin.keyboard.press('Alt+t')
  await tabTo(admin.getByRole('button', { name: 'Undo' }))
  await admin.keyboard.press('Enter')
  await expect(rowsOf(admin).nth(2)).toContainText('Book 002')
  // The row that had it before.
  await expect(rowsOf(admin).nth(3)).toBeFocused()
})

test('after selected records are deleted the row in their place has the focus', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'FocusSelection')
  await atThirdRow(admin, 'FocusSelection')
  await admin.keyboard.press('x')
  await tabTo(admin.getByRole('button', { name: 'Delete', exact: true }), 'Shift+Tab')
  await admin.keyboard.press('Enter')
  await confirmDeletion(admin, 'Delete record')
  await expect(rowsOf(admin).nth(2)).toContainText('Book 003')
  await expect(rowsOf(admin).nth(2)).toBeFocused()
})

test('what closes gives the focus back to what opened it', async ({ admin, api }) => {
  await installBooks(api, 'FocusBack')
  const row = await atThirdRow(admin, 'FocusBack')
  const { keyboard } = admin
  const closes = async (window: Locator, opener: Locator) => {
    await expect(window).toBeVisible()
    await keyboard.press('Escape')
    await expect(window).toBeHidden()
    await expect(opener).toBeFocused()
  }
  const panel = admin.getByRole('dialog')
  await keyboard.press('Enter')
  await closes(panel, row)
  await keyboard.press('o')
  await tabTo(panel.getByRole('button', { name: 'Delete', exact: true }))
  await keyboard.press('Enter')
  await closes(
    admin.getByRole('alertdialog'),
    panel.getByRole('button', { name: 'Delete', exact: true }),
  )
  await tabTo(panel.getByRole('button', { name: 'Close', exact: true }))
  await keyboard.press('Enter')
  await expect(row).toBeFocused()

  await keyboard.press('e')
  const title = panel.getByRole('textbox', { name: 'title' })
  await expect(title).toBeVisible()
  await keyboard.press('Escape')
  await expect(title).toBeHidden()
  await expect(panel).toBeFocused()
  await closes(panel, row)

  await keyboard.press('f')
  const filter = admin.getByRole('dialog', { name: 'Filter' })
  await expect(filter.getByRole('combobox', { name: 'Field' })).toBeFocused()
  // The list of fields, then the window.
  await keyboard.press('Escape')
  await keyboard.press('Escape')
  await expect(filter).toBeHidden()
  await expect(admin.locator('body')).not.toBeFocused()

  const create = admin.getByRole('button', { name: 'Create', exact: true })
  await tabTo(create, 'Shift+Tab')
  await keyboard.press('Enter')
  await closes(panel, create)
})
