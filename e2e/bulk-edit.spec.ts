import type { Page } from '@playwright/test'
import { installBooks, ROWS, totalOf } from './books'
import { expect, expectAccessible, test } from './fixtures'
import { signedIn, statusOf } from './signed-in'

const POEMS = [{ field: 'kind', operator: 'eq', value: 'poem' }]
const pathOf = (entity: string, filter: unknown[] = POEMS) =>
  `/entities/${entity}?filter=${encodeURIComponent(JSON.stringify(filter))}`

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Edit / })
const choose = (page: Page, name: string) => page.getByRole('option', { name, exact: true }).click()

/** Opens the edit of what the filter matches and chooses a field. */
async function openEdit(page: Page, field: string): Promise<void> {
  await page.getByRole('button', { name: 'Edit 50 matching records' }).click()
  await choose(page, field)
}

async function chooseChange(page: Page, name: string): Promise<void> {
  await dialogOf(page).getByRole('combobox', { name: 'Change' }).click()
  await choose(page, name)
}

/** Counts the presses of the pointer in the page. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    document.documentElement.dataset.clicks = '0'
    const count = () => {
      const { dataset } = document.documentElement
      dataset.clicks = String(Number(dataset.clicks) + 1)
    }
    document.addEventListener('pointerdown', count, { capture: true })
  })
  return () => page.evaluate(() => Number(document.documentElement.dataset.clicks))
}

test('the records that a filter matches are edited in four clicks, and back in one', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Bulk')
  await admin.goto(pathOf('Bulk'))
  await expect(admin.getByRole('button', { name: 'Edit 50 matching records' })).toBeVisible()
  const clicks = await countClicks(admin)
  await openEdit(admin, 'Lent')
  await expectAccessible(admin)
  await dialogOf(admin).getByRole('radio', { name: 'Yes' }).click()
  await expect(dialogOf(admin).getByRole('status')).toHaveText(
    '50 records match: 25 change, 25 have the value already.',
  )
  const sample = dialogOf(admin).getByRole('table', { name: 'Sample' }).getByRole('row')
  await expect(sample).toHaveCount(11)
  await expect(dialogOf(admin)).toContainText('Kind is poem')
  await expectAccessible(admin)
  const lent = [...POEMS, { field: 'lent', operator: 'eq', value: true }]
  expect(await totalOf(api, 'Bulk', lent)).toBe(25)
  await dialogOf(admin).getByRole('button', { name: 'Edit 50 records' }).click()
  await expect(admin.getByText('25 records edited')).toBeVisible()
  expect(await clicks()).toBe(4)
  expect(await totalOf(api, 'Bulk', lent)).toBe(50)
  expect(await totalOf(api, 'Bulk', lent.slice(1))).toBe(100)
  await admin.getByRole('button', { name: 'Undo' }).click()
  await expect(admin.getByText('25 records restored')).toBeVisible()
  expect(await totalOf(api, 'Bulk', lent)).toBe(25)
})

test('an edit that would make records invalid says which, and changes nothing', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Strict')
  await admin.goto(pathOf('Strict'))
  await openEdit(admin, 'Pages')
  await chooseChange(admin, 'Increase by')
  await dialogOf(admin).getByLabel('Number').fill('-30')
  await expect(dialogOf(admin).getByRole('alert')).toContainText('Nothing can be changed')
  await expect(dialogOf(admin).getByRole('alert')).toContainText(/10 records.*would get -27/)
  await expectAccessible(admin)
  await expect(dialogOf(admin).getByRole('button', { name: 'Edit 50 records' })).toBeDisabled()
  await dialogOf(admin).getByLabel('Number').fill('1000')
  await expect(dialogOf(admin).getByRole('status')).toHaveText('50 records match: 50 change.')
  await dialogOf(admin).getByLabel('Number').press('Enter')
  await expect(admin.getByText('50 records edited')).toBeVisible()
  const many = [{ field: 'pages', operator: 'gt', value: 1000 }]
  expect(await totalOf(api, 'Strict', many)).toBe(50)
  await admin.getByRole('link', { name: 'Open Recently changed' }).click()
  await expect(admin.getByRole('dialog', { name: 'Edited in Strict' })).toContainText(
    'Kind is poem',
  )
})

test('nothing is edited when the number of matching records has changed', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Moving')
  await admin.goto(pathOf('Moving'))
  await openEdit(admin, 'Pages')
  await dialogOf(admin).getByLabel('New value').fill('7')
  await expect(dialogOf(admin).getByRole('status')).toContainText('50 records match')
  const question = admin.getByRole('alertdialog', { name: 'Discard unsaved changes?' })
  await admin.keyboard.press('Escape')
  await expect(question).toContainText('The edit of the records of Moving is not carried out yet.')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(dialogOf(admin).getByLabel('New value')).toHaveValue('7')
  const [, another] = (await (await api.get('/api/entities/Moving?size=2')).json()).data
  await api.patch(`/api/entities/Moving/${another.persistenceId}`, { data: { kind: 'poem' } })
  await dialogOf(admin).getByRole('button', { name: 'Edit 50 records' }).click()
  await expect(dialogOf(admin).getByRole('alert')).toContainText('51 records match, not the 50')
  await expect(dialogOf(admin).getByLabel('New value')).toHaveValue('7')
  await dialogOf(admin).getByRole('button', { name: 'Edit 51 records' }).click()
  await expect(admin.getByText(/records edited/)).toBeVisible()
  expect(await totalOf(api, 'Moving', [{ field: 'pages', operator: 'eq', value: 7 }])).toBe(52)
})

test('selected records are edited; for all of them the name is asked for', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Chosen')
  await admin.goto('/entities/Chosen')
  const rows = admin.getByRole('table').locator('tbody tr')
  await rows.nth(0).getByRole('checkbox').click()
  await rows.nth(2).getByRole('checkbox').click()
  await admin.getByRole('button', { name: 'Edit', exact: true }).click()
  await choose(admin, 'Title')
  await chooseChange(admin, 'Add at the end')
  await dialogOf(admin).getByLabel('Text').fill(' (signed)')
  await dialogOf(admin).getByRole('button', { name: 'Edit 2 records' }).click()
  await expect(admin.getByText('2 records edited')).toBeVisible()
  await expect(rows.nth(2)).toContainText('Book 002 (signed)')
  await admin.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await admin.getByRole('button', { name: `Select all ${ROWS} matching` }).click()
  await admin.getByRole('button', { name: 'Edit', exact: true }).click()
  await choose(admin, 'Kind')
  await chooseChange(admin, 'Remove the value')
  const edit = dialogOf(admin).getByRole('button', { name: `Edit ${ROWS} records` })
  await expect(dialogOf(admin).getByRole('status')).toContainText(`${ROWS} change`)
  await expect(edit).toBeDisabled()
  await dialogOf(admin)
    .getByLabel(/to confirm$/)
    .fill('Chosen')
  await edit.click()
  await expect(admin.getByText(`${ROWS} records edited`)).toBeVisible()
  expect(await totalOf(api, 'Chosen', [{ field: 'kind', operator: 'isnull' }])).toBe(ROWS)
})

test('an edit is not offered to a user who may only read, and refused by the API', async ({
  browser,
  api,
}) => {
  await installBooks(api, 'Closed')
  const { page } = await signedIn(browser, api, ['VIEWER'])
  await page.goto(pathOf('Closed'))
  await expect(page.getByRole('table').locator('tbody tr').first()).toContainText('poem')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await expect(page.getByText('50 selected')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Edit/ })).toHaveCount(0)
  const edit = { entity: 'Closed', query: POEMS, set: { pages: 1 } }
  expect(await statusOf(page, 'PATCH', '/api/entities/Closed/batch', edit)).toBe(403)
  expect(await totalOf(api, 'Closed', [{ field: 'pages', operator: 'eq', value: 1 }])).toBe(1)
  await page.context().close()
})
