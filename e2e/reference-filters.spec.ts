import type { Page } from '@playwright/test'
import { totalOf } from './books'
import { expect, expectAccessible, test } from './fixtures'
import { filterOf, installReferences } from './referring-model'

/** Chooses an option of a list of the page. */
const chooserOn = (page: Page) => async (label: string, option: string) => {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('conditions reach the other side of a reference, and records are chosen by name', async ({
  admin,
  api,
}) => {
  await installReferences(api, 'Reached')
  await admin.goto('/entities/ReachedOrder')
  const choose = chooserOn(admin)
  await admin.getByRole('button', { name: 'Filter' }).click()
  await choose('Field', 'Customer')
  await admin.getByRole('button', { name: 'By a field of ReachedCustomer' }).click()
  await choose('Field of ReachedCustomer', 'Country')
  await admin.getByRole('button', { name: 'By a field of ReachedCountry' }).click()
  await choose('Field of ReachedCountry', 'Name')
  await choose('Operator', 'is')
  await admin.getByRole('textbox', { name: 'Value' }).fill('France')
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Apply' }).click()
  const chips = admin.getByRole('list', { name: 'Conditions' })
  await expect(chips).toContainText('Customer › Country › Name is France')
  await expect(admin.getByText('1–20 of 20')).toBeVisible()
  const french = [{ field: 'customer.country.name', operator: 'eq', value: 'France' }]
  expect(filterOf(admin.url())).toEqual(french)
  expect(await totalOf(api, 'ReachedOrder', french)).toBe(20)

  await admin.getByRole('button', { name: 'Filter' }).click()
  await admin.getByRole('button', { name: 'Not by a field of ReachedCountry' }).click()
  const value = admin.getByRole('combobox', { name: 'Value' })
  await value.fill('germ')
  await admin.getByRole('option', { name: /Germany/ }).click()
  await admin.getByRole('button', { name: 'Apply' }).click()
  await expect(chips).toContainText('Customer › Country is Germany (DE)')
  await expect(admin.getByText('1–20 of 20')).toBeVisible()

  await admin.getByRole('button', { name: 'Filter' }).click()
  await choose('Field', 'Customer')
  await choose('Operator', 'is one of')
  const values = admin.getByRole('combobox', { name: 'Values' })
  for (const name of ['No. 2', 'No. 3']) {
    await values.fill(name)
    await admin.getByRole('option', { name: new RegExp(`Customer ${name} `) }).click()
  }
  await admin.getByRole('button', { name: 'Apply' }).click()
  await expect(chips).toContainText('Customer is one of Customer No. 2 (2), Customer No. 3 (3)')
  const two = [{ field: 'customer', operator: 'in', value: ['2', '3'] }]
  expect(filterOf(admin.url())).toEqual(two)
  const total = await totalOf(api, 'ReachedOrder', two)
  await expect(admin.getByText(`1–${total} of ${total}`)).toBeVisible()

  // What is typed and not ended with Enter counts too.
  await admin.getByRole('button', { name: 'Filter' }).click()
  await values.fill('4')
  await admin.keyboard.press('Tab')
  await admin.getByRole('button', { name: 'Apply' }).click()
  const three = [{ field: 'customer', operator: 'in', value: ['2', '3', '4'] }]
  await expect.poll(() => filterOf(admin.url())).toEqual(three)
  await admin.getByRole('button', { name: 'Filter' }).click()
  await values.fill('5')
  await admin.keyboard.press('Control+Enter')
  const four = [{ field: 'customer', operator: 'in', value: ['2', '3', '4', '5'] }]
  await expect.poll(() => filterOf(admin.url())).toEqual(four)
})

test('records are found by those that refer to them', async ({ admin, api }) => {
  await installReferences(api, 'Inverse')
  const orders = 'InverseOrder by Customer'
  const choose = chooserOn(admin)
  await admin.goto('/entities/InverseCustomer')
  await admin.getByRole('button', { name: 'Filter' }).click()
  await choose('Field', orders)
  await choose(`Which of ${orders}`, 'none')
  const condition = admin.getByRole('group', { name: 'Condition' })
  await condition.getByRole('button', { name: 'Condition', exact: true }).click()
  await admin.getByRole('option', { name: /^note/i }).click()
  await choose('Operator', 'is')
  await admin.getByRole('textbox', { name: 'Value' }).fill('Order 3')
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Apply' }).click()
  const chips = admin.getByRole('list', { name: 'Conditions' })
  await expect(chips).toContainText(`${orders} › none with Note is Order 3`)
  await expect(admin.getByText('1–11 of 11')).toBeVisible()

  await chips
    .getByRole('button', { name: `${orders} › none` })
    .first()
    .click()
  await choose(`Which of ${orders}`, 'at least one')
  await admin.getByRole('button', { name: 'Apply' }).click()
  await expect(admin.getByText('1–1 of 1')).toBeVisible()
  const relation = { field: 'InverseOrderByCustomer', operator: 'some' }
  const note = { field: 'note', operator: 'eq', value: 'Order 3' }
  await expect.poll(() => filterOf(admin.url())).toEqual([{ ...relation, filters: [note] }])

  await admin.getByRole('button', { name: 'Clear all' }).click()
  const search = admin.getByRole('searchbox')
  await search.fill('InverseNoteByCustomer:some')
  await search.press('Enter')
  await expect(chips).toContainText('InverseNote by Customer › at least one')
  await expect(admin.getByText('1–1 of 1')).toBeVisible()
  await search.fill('InverseNoteByCustomer.$count:lt:3')
  await search.press('Enter')
  await expect(chips).toContainText('InverseNote by Customer › how many is less than 3')
  await expect(admin.getByText('Nothing matches')).toBeVisible()
})

test('a typed name is the record that alone has it, and is asked about where several match', async ({
  admin,
  api,
}) => {
  await installReferences(api, 'Meant')
  const chosen = async (field: string, typed: string) => {
    await admin.getByRole('button', { name: 'Filter' }).click()
    await admin.getByRole('combobox', { name: 'Field', exact: true }).click()
    await admin.getByRole('option', { name: field, exact: true }).click()
    await admin.getByRole('combobox', { name: 'Value' }).fill(typed)
    await admin.keyboard.press('Enter')
  }
  await admin.goto('/entities/MeantCustomer')
  await chosen('Country', 'france')
  const chips = admin.getByRole('list', { name: 'Conditions' })
  await expect(chips).toContainText('Country is France (FR)')
  await expect(admin.getByText('1–4 of 4')).toBeVisible()
  expect(filterOf(admin.url())).toEqual([{ field: 'country', operator: 'eq', value: 'FR' }])

  await admin.goto('/entities/MeantOrder')
  await chosen('Customer', 'No. 1')
  await expect(admin.getByText('Several in MeantCustomer match: choose one')).toBeVisible()
  await expectAccessible(admin)
  await admin.getByRole('option', { name: 'Customer No. 12 12' }).click()
  await admin.getByRole('button', { name: 'Apply' }).click()
  await expect(chips).toContainText('Customer is Customer No. 12 (12)')
  await chosen('Customer', 'Nobody')
  await expect(admin.getByText('Nothing in MeantCustomer matches “Nobody”')).toBeVisible()

  await admin.goto('/entities/MeantCustomer?record=3&edit=true')
  const panel = admin.getByRole('dialog')
  const country = panel.getByRole('combobox', { name: /country/i })
  await expect(country).toHaveValue('Italy')
  await country.fill('Germany')
  await admin.keyboard.press('Enter')
  await expect(panel.getByRole('button', { name: 'Germany DE' })).toBeVisible()
  const saved = await api.get('/api/entities/MeantCustomer/3')
  expect((await saved.json()).data[0].country).toBe('DE')

  await admin.goto('/entities/MeantCustomer')
  const cell = admin.locator('td[data-field=country]').nth(1)
  await expect(cell).toContainText('France')
  await cell.dblclick()
  await admin.getByRole('combobox', { name: /country/i }).fill('Italy')
  await admin.keyboard.press('Enter')
  await expect(cell.getByRole('button', { name: 'Italy IT' })).toBeVisible()
})
