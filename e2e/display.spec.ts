import type { APIRequestContext, Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures'
import { editEntity } from './model-clicks'

const unique = (name: string) => `${name}${Date.now().toString(36)}`

const PROPERTIES = [
  { name: 'name', type: 'string' },
  { name: 'status', type: 'string', meta: { enum: ['new', 'paid', 'lost'] } },
  { name: 'weight', type: 'integer' },
  { name: 'price', type: 'decimal' },
  { name: 'due', type: 'date' },
  { name: 'remark', type: 'string' },
]
const RECORDS = [
  { name: 'Cup', status: 'paid', weight: 12_500, price: 1234.5, remark: 'Blue' },
  { name: 'Dish', status: 'new', weight: 300, price: 7, remark: 'Red' },
]

async function makeOrders(api: APIRequestContext, entity: string): Promise<void> {
  const model = {
    plugin: `local.${entity.toLowerCase()}`,
    entities: [{ name: entity, pks: [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }] }],
    schemas: [{ name: entity, properties: PROPERTIES }],
  }
  expect((await api.post('/api/model/apply', { data: model })).status()).toBe(200)
  const due = new Date().toISOString().slice(0, 10)
  for (const record of RECORDS)
    expect((await api.post(`/api/entities/${entity}`, { data: { ...record, due } })).ok()).toBe(
      true,
    )
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Opens the dialog of a field with this section, and closes it when the section is filled in. */
async function inSection(
  page: Page,
  field: string,
  section: string,
  fill: () => Promise<void>,
): Promise<void> {
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: `Edit ${field}`, exact: true }).click()
  await dialog.locator('summary', { hasText: section }).click()
  await fill()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
}

async function addColumn(page: Page, name: string): Promise<void> {
  await page.getByLabel('Columns').fill(name)
  await page.getByLabel('Columns').press('Enter')
}

test('what people see of records is edited by clicking, and the API goes on as before', async ({
  admin,
  api,
}) => {
  const entity = unique('Order')
  await makeOrders(api, entity)
  const before = await (await api.get(`/api/entities/${entity}/1`)).json()
  const text = (label: string) => admin.getByRole('dialog').getByLabel(label, { exact: true })
  await editEntity(admin, entity, async () => {
    await inSection(admin, 'status', 'Labels and colours', async () => {
      await text('Label of paid').fill('Paid in full')
      await choose(admin, 'Colour of paid', 'green')
      await choose(admin, 'Colour of lost', 'gray')
      await expectAccessible(admin)
    })
    await inSection(admin, 'status', 'Display', async () => {
      await text('Group').fill('Payment')
      await text('Hint').fill('As the bank says')
    })
    await inSection(admin, 'weight', 'Display', () => text('Unit').fill('kg'))
    await inSection(admin, 'price', 'Display', async () => {
      await choose(admin, 'Written as', 'Amount of money')
      await text('Currency').fill('eur')
      await expectAccessible(admin)
    })
    await inSection(admin, 'remark', 'Display', () =>
      admin.getByRole('checkbox', { name: /Hidden in lists/ }).click(),
    )
    await expect(admin.getByText(/Change how status is shown: choices, group, hint/)).toBeVisible()
  })

  await admin.goto(`/entities/${entity}`)
  const row = admin.getByRole('row').filter({ hasText: 'Cup' })
  await expect(row.getByText('Paid in full', { exact: true })).toBeVisible()
  await expect(row.getByText('€1,234.50')).toBeVisible()
  await expect(row.getByText('12,500 kg')).toBeVisible()
  await expect(admin.getByRole('columnheader', { name: 'Weight' })).toBeVisible()
  await expect(admin.getByRole('columnheader', { name: 'Remark' })).toHaveCount(0)
  await expectAccessible(admin)

  const paid = [{ field: 'status', operator: 'eq', value: 'paid' }]
  await admin.goto(`/entities/${entity}?filter=${encodeURIComponent(JSON.stringify(paid))}`)
  await expect(admin.getByRole('list', { name: 'Conditions' })).toContainText('Paid in full')

  const after = await (await api.get(`/api/entities/${entity}/1`)).json()
  expect(after.data).toEqual(before.data)
})

test('lists begin with the columns and the form of the definition, forms have its groups', async ({
  admin,
  api,
}) => {
  const entity = unique('Delivery')
  await makeOrders(api, entity)
  await editEntity(admin, entity, async () => {
    for (const name of ['status', 'name']) await addColumn(admin, name)
    await inSection(admin, 'price', 'Display', async () => {
      await admin.getByRole('dialog').getByLabel('Group', { exact: true }).fill('Money')
      await admin.getByRole('dialog').getByLabel('Hint', { exact: true }).fill('Without taxes')
    })
  })
  await admin.goto(`/entities/${entity}`)
  await expect(admin.getByRole('columnheader').filter({ hasText: /\w/ })).toHaveText([
    /Status/,
    /Name/,
  ])
  await admin.getByRole('button', { name: 'Create' }).click()
  const money = admin.getByRole('region', { name: 'Money' })
  await expect(money.getByLabel(/Price/)).toBeVisible()
  await expect(money.getByText('Without taxes')).toBeVisible()
  await expectAccessible(admin)

  await editEntity(admin, entity, async () => {
    await choose(admin, 'Days are in', 'due')
    await choose(admin, 'Lists open as', 'Calendar, by the days')
  })
  await admin.goto(`/entities/${entity}`)
  await expect(admin.getByRole('button', { name: 'Show as: Calendar' })).toBeVisible()
  await expect(admin).toHaveURL(/display=calendar/)
  await admin.getByRole('button', { name: 'Show as: Calendar' }).click()
  await admin.getByRole('menuitemradio', { name: 'Table' }).click()
  await expect(admin.getByRole('table', { name: `Records of ${entity}` })).toBeVisible()
})
