import { readFileSync } from 'node:fs'
import { readXlsx } from 'hucre/xlsx'
import { totalOf } from './books'
import { expect, expectAccessible, test } from './fixtures'
import { filterOf, installReferences, ORDERS } from './referring-model'
import { BASE_URL } from './server-settings'
import { signedIn } from './signed-in'

const isCustomer = (value: unknown) => [{ field: 'customer', operator: 'eq', value }]

test('cells, panel, form and conditions show what a reference is; one request names a page', async ({
  admin,
  api,
}) => {
  await installReferences(api, 'Told')
  const asked: string[] = []
  admin.on('request', (request) => {
    if (request.url().endsWith('/api/entities/ToldCustomer/search'))
      asked.push(request.postData() ?? '')
  })
  await admin.goto('/entities/ToldOrder')
  const table = admin.getByRole('table', { name: 'Records of ToldOrder' })
  await expect(table.getByRole('button', { name: 'Customer No. 5 5' }).first()).toBeVisible()
  expect(asked).toHaveLength(1)
  const { fields, query } = JSON.parse(asked[0] ?? '')
  expect(fields).toEqual(['id', 'name'])
  expect(query[0]).toMatchObject({ field: 'id', operator: 'in' })
  expect(query[0].value).toHaveLength(12)
  await expectAccessible(admin)

  await table.getByRole('row').nth(3).getByRole('cell').nth(1).click()
  const panel = admin.getByRole('dialog')
  await panel.getByRole('button', { name: 'Edit' }).click()
  const input = panel.getByRole('combobox', { name: /customer/i })
  await expect(input).toHaveValue('Customer No. 3')
  await expect(panel.getByText('3', { exact: true })).toBeVisible()
  await input.fill('No. 7')
  await admin.getByRole('option', { name: 'Customer No. 7 7' }).click()
  await expect(input).toHaveValue('Customer No. 7')
  await expect(panel.getByText('7', { exact: true })).toBeVisible()
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByRole('button', { name: 'Customer No. 7 7' })).toBeVisible()
  const saved = await api.get('/api/entities/ToldOrder/3')
  expect((await saved.json()).data[0].customer).toBe(7)

  await admin.goto(`/entities/ToldOrder?filter=${JSON.stringify(isCustomer(4))}`)
  await expect(admin.getByRole('list', { name: 'Conditions' })).toContainText(
    'Customer is Customer No. 4 (4)',
  )
  await admin.getByRole('button', { name: /^Edit \d+ matching/ }).click()
  await expect(admin.getByRole('list', { name: 'Conditions of the edit' })).toHaveText(
    'Customer is Customer No. 4 (4)',
  )
})

test('fields of what records refer to are columns: found, shown, sorted, kept and exported', async ({
  admin,
  api,
}) => {
  await installReferences(api, 'Joined')
  const asked: string[][] = []
  admin.on('request', (request) => {
    if (request.url().endsWith('/api/entities/JoinedOrder/search'))
      asked.push(request.postDataJSON().fields)
  })
  const table = admin.getByRole('table', { name: 'Records of JoinedOrder' })
  const header = (name: string) => table.getByRole('columnheader', { name, exact: true })
  await admin.goto('/entities/JoinedOrder')
  await admin.getByRole('button', { name: 'Columns' }).click()
  const further = admin.getByRole('region', { name: 'Related records' })
  await expect(further.getByRole('checkbox')).toHaveCount(0)
  await further.getByRole('button', { name: 'Customer' }).click()
  await expectAccessible(admin)
  await further.getByRole('checkbox', { name: 'Customer › Name' }).check()
  await expect(header('Customer › Name')).toBeVisible()
  const own = ['persistenceId', 'id', 'note', 'customer']
  await expect.poll(() => asked).toEqual([[...own, 'customer.name']])
  await admin.getByRole('searchbox', { name: 'Find a column' }).fill('country')
  await further.getByRole('checkbox', { name: 'Customer › Country' }).check()
  await expect(further.getByRole('checkbox')).toHaveCount(1)
  await admin.keyboard.press('Escape')
  await expect(table.locator('td[data-field="customer.country"]').first()).toHaveText('Germany DE')

  await header('Customer › Name').getByRole('button').first().click()
  await header('Customer › Name').getByRole('button').first().click()
  const names = table.locator('td[data-field="customer.name"]')
  await expect(names.first()).toHaveText('Customer No. 12')
  await admin.goto('about:blank')
  asked.length = 0
  await admin.goto('/entities/JoinedOrder?filter=note:eq:Order 3')
  await expect(names).toHaveText(['Customer No. 4'])
  await admin.reload()
  await expect(names).toHaveText(['Customer No. 4'])

  await test.step('they are changed in their own record, and follow the reference', async () => {
    await names.first().dblclick()
    await expect(admin.getByText('Customer › Name belongs to other records')).toBeVisible()
    await table.locator('td[data-field="customer"]').dblclick({ position: { x: 140, y: 12 } })
    await admin.getByRole('combobox', { name: /customer/i }).fill('Customer No. 7')
    await admin.keyboard.press('Enter')
    await expect(names).toHaveText(['Customer No. 7'])
  })
  const save = async (format: string) => {
    await admin.getByRole('button', { name: 'Export', exact: true }).click()
    const download = admin.waitForEvent('download')
    await admin.getByRole('menuitem', { name: format }).first().click()
    return readFileSync(await (await download).path())
  }
  expect((await save('CSV')).toString().trim().split('\r\n')).toEqual([
    'id,note,customer,Customer › Name,Customer › Country',
    '4,Order 3,7,Customer No. 7,DE',
  ])
  const related = { 'customer.name': 'Customer No. 7', 'customer.country': 'DE' }
  expect(JSON.parse((await save('JSON')).toString())).toMatchObject([{ id: 4, ...related }])
  const { sheets } = await readXlsx(new Uint8Array(await save('XLSX')))
  const titled = ['Customer › Country › Name', 'Customer › Country']
  expect(sheets[0]?.rows).toEqual([
    ['ID', 'Note', 'Customer', 'Customer › Name', ...titled],
    [4, 'Order 3', 7, 'Customer No. 7', 'Germany', 'DE'],
  ])

  await test.step('how many records of a list there are is one, too', async () => {
    const count = 'JoinedOrder by Customer'
    await admin.goto('/entities/JoinedCustomer')
    await admin.getByRole('button', { name: 'Columns' }).click()
    await further.getByRole('button', { name: 'How many' }).click()
    await further.getByRole('checkbox', { name: `How many › ${count}` }).check()
    const counts = admin.locator('td[data-field="JoinedOrderByCustomer.$count"]')
    await expect(counts.first()).toHaveText('5')
    await admin.keyboard.press('Escape')
    const head = { name: `${count} › how many`, exact: true }
    await admin.getByRole('table').getByRole('button', head).click()
    // The seventh customer has one more than the others now, the fourth one less.
    await expect(counts.first()).toHaveText('4')
  })
})

test('columns of what may not be read are neither offered nor shown', async ({ api, browser }) => {
  await installReferences(api, 'Veiled')
  await api.post('/api/roles', { data: { name: 'VeiledReader' } })
  const rule = { principals: ['VeiledReader'], actions: ['read'] }
  const names = ['VeiledOrder', 'VeiledCustomer']
  for (const [name, more] of [
    ['Veiled readers', { entities: names }],
    ['Veiled names', { entities: ['VeiledCustomer'], allow: false, fields: ['name'] }],
  ] as const)
    expect((await api.post('/api/policies', { data: { name, ...rule, ...more } })).status()).toBe(
      201,
    )
  const { page } = await signedIn(browser, api, ['VeiledReader'])
  const refused: number[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(response.status())
  })
  await page.goto('/entities/VeiledOrder?cols=note,customer.name,customer.country,customer.x')
  const headers = page.getByRole('table').getByRole('columnheader')
  await expect(headers).toHaveText(['', 'Note', 'Customer › Country'])
  await expect(page.locator('td[data-field="customer.country"]').first()).toHaveText('DE')
  await page.getByRole('button', { name: 'Columns' }).click()
  const further = page.getByRole('region', { name: 'Related records' })
  await further.getByRole('button', { name: 'Customer' }).click()
  await expect(further.getByRole('checkbox', { name: 'Customer › Country' })).toBeChecked()
  await expect(further.getByRole('checkbox', { name: 'Customer › Name' })).toHaveCount(0)
  expect(refused).toEqual([])
  await page.context().close()
})

test('records that refer to one are listed there, opened, added and removed', async ({
  admin,
  api,
}) => {
  await installReferences(api, 'Listed')
  await admin.goto('/entities/ListedCustomer?record=12')
  const panel = admin.getByRole('dialog')
  const section = panel.getByRole('region', { name: 'Referenced by' })
  await section.getByRole('button', { name: 'Show ListedTicket by customer' }).click()
  await expect(section.getByRole('button', { name: 'Hide ListedTicket by customer' })).toBeVisible()
  const table = section.getByRole('table', { name: 'Records of ListedTicket' })
  await expect(table.getByRole('row')).toHaveCount(3)
  await expectAccessible(admin)

  await table.getByRole('button', { name: 'Remove y from here' }).first().click()
  await expect(table.getByRole('row')).toHaveCount(2)
  await expect(section.getByRole('link', { name: 'ListedTicket (1)' })).toBeVisible()
  await admin.getByRole('button', { name: 'Undo' }).click()
  await expect(table.getByRole('row')).toHaveCount(3)

  await test.step('a record that refers to another one meanwhile keeps that', async () => {
    const found = await api.post('/api/entities/ListedTicket/search', {
      data: { query: isCustomer(12) },
    })
    const [ticket] = (await found.json()).data
    const path = `/api/entities/ListedTicket/${ticket.persistenceId}`
    await api.patch(path, { data: { customer: 11 } })
    await table.getByRole('button', { name: 'Remove y from here' }).first().click()
    await expect(admin.getByText('The record refers to another one by now')).toBeVisible()
    await expect(table.getByRole('row')).toHaveCount(2)
    const [kept] = (await (await api.get(path)).json()).data
    expect(kept.customer).toBe(11)
    await api.patch(path, { data: { customer: 12 } })
    await admin.reload()
    await section.getByRole('button', { name: 'Show ListedTicket by customer' }).click()
    await expect(table.getByRole('row')).toHaveCount(3)
  })
  await table.getByRole('button', { name: 'y', exact: true }).first().click()
  await expect(panel.getByText('ListedTicket 1', { exact: true })).toBeVisible()
  await admin.goBack()

  await section.getByRole('link', { name: 'Add to ListedTicket by customer' }).click()
  const form = admin.getByRole('dialog', { name: 'New listedTicket' })
  await expect(form.getByRole('combobox', { name: /customer/i })).toHaveValue('Customer No. 12')
  await form.getByLabel('subject').fill('Broken handle')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(admin.getByRole('heading', { name: 'Broken handle' })).toBeVisible()
  const customer = [{ field: 'customer', operator: 'eq', value: 12 }]
  expect(await totalOf(api, 'ListedTicket', customer)).toBe(3)
})

test('a record says what refers to it, and leads to exactly that', async ({ admin, api }) => {
  await installReferences(api, 'Led')
  await admin.goto('/entities/LedCustomer?record=12')
  const panel = admin.getByRole('dialog')
  const section = panel.getByRole('region', { name: 'Referenced by' })
  const total = await totalOf(api, 'LedOrder', isCustomer(12))
  await expect(section.getByRole('link', { name: `LedOrder (${total})` })).toBeVisible()
  await expect(section.getByRole('listitem')).toHaveText([
    /LedNote \(3\).*deleted with it/,
    /LedOrder \(5\).*prevents deletion/,
    /LedTicket \(2\).*emptied on deletion/,
  ])
  await expectAccessible(admin)
  await section.getByRole('link', { name: `LedOrder (${total})` }).click()
  await expect(admin.getByText(`1–${total} of ${total}`)).toBeVisible()
  expect(await totalOf(api, 'LedOrder', filterOf(admin.url()))).toBe(total)
  await expect(admin.getByText('Customer is Customer No. 12 (12)')).toBeVisible()

  await admin.goto('/entities/LedCustomer/definition')
  const row = admin.getByRole('table', { name: 'Referenced by' }).getByRole('row')
  await expect(row).toHaveCount(4)
  await admin.getByRole('link', { name: 'Records of LedOrder with customer' }).click()
  await expect(admin.getByText(`of ${ORDERS}`)).toBeVisible()
})

test('a reference by several fields leads to its record, and back', async ({ admin, api }) => {
  await installReferences(api, 'Paired')
  const towns = await api.post('/api/entities/PairedTown/search', {
    data: { query: [{ field: 'mayor', operator: 'eq', value: 'Ann' }] },
  })
  const { persistenceId } = (await towns.json()).data[0]
  await admin.goto(`/entities/PairedTown?record=${persistenceId}`)
  const link = admin.getByRole('link', { name: 'PairedStreet (1)' })
  await link.click()
  await expect(admin.getByText('1–1 of 1')).toBeVisible()
  const filter = filterOf(admin.url())
  const found = await api.post('/api/entities/PairedStreet/search', { data: { query: filter } })
  expect((await found.json()).data).toMatchObject([{ code: 'B', land: 'US' }])
  await admin.getByRole('table').getByRole('button', { name: 'Bonn', exact: true }).click()
  await expect(admin.getByRole('dialog')).toContainText('Ann')
})

test('a record that several fields refer to is chosen with all of them', async ({ admin, api }) => {
  await installReferences(api, 'Picked')
  await admin.goto('/entities/PickedStreet?record=A&edit=true')
  const panel = admin.getByRole('dialog')
  const town = panel.getByRole('combobox', { name: /town/i })
  await expect(town).toHaveValue('Bonn')
  await town.fill('Bo')
  await admin.getByRole('option', { name: /Bonn, US/ }).click()
  await expect(town).toHaveValue('Bonn')
  await expect(panel.getByRole('textbox', { name: /land/i })).toHaveValue('US')
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByText('Saved')).toBeVisible()
  const [saved] = (await (await api.get('/api/entities/PickedStreet/A')).json()).data
  expect(saved).toMatchObject({ town: 'Bonn', land: 'US' })
})

test('a deletion says what refers to the records and what becomes of that', async ({
  admin,
  api,
}) => {
  await installReferences(api, 'Gone')
  await admin.goto('/entities/GoneCustomer?record=12')
  await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  const dialog = admin.getByRole('alertdialog')
  const list = dialog.getByRole('list', { name: 'References' })
  await expect(list.getByRole('listitem')).toHaveText([
    /5 records of GoneOrder refer .* which prevents the deletion/,
    /3 records of GoneNote are deleted too/,
    /2 records of GoneTicket lose their customer/,
  ])
  await expect(dialog.getByRole('button', { name: 'Delete record' })).toBeDisabled()
  await expectAccessible(admin)
  await list.getByRole('link', { name: '5 records of GoneOrder' }).click()
  await expect(admin.getByText('1–5 of 5')).toBeVisible()
  const orders = filterOf(admin.url())
  expect(await totalOf(api, 'GoneOrder', orders)).toBe(5)

  const removed = await api.delete('/api/entities/GoneOrder/batch', {
    data: { entity: 'GoneOrder', query: isCustomer(12) },
  })
  expect((await removed.json()).data[0].effected).toBe(5)
  await admin.goto('/entities/GoneCustomer?record=12')
  await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await dialog.getByRole('button', { name: 'Delete record' }).click()
  await expect(admin.getByText('1 record deleted')).toBeVisible()
  expect(await totalOf(api, 'GoneNote')).toBe(0)
  expect(await totalOf(api, 'GoneTicket', [{ field: 'customer', operator: 'isnull' }])).toBe(2)

  const germans = [{ field: 'country', operator: 'eq', value: 'DE' }]
  await admin.goto(`/entities/GoneCustomer?filter=${JSON.stringify(germans)}`)
  await admin.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await admin.getByRole('button', { name: 'Delete' }).click()
  await list.getByRole('link', { name: '20 records of GoneOrder' }).click()
  await expect(admin.getByText('1–20 of 20')).toBeVisible()
  expect(await totalOf(api, 'GoneOrder', filterOf(admin.url()))).toBe(20)
})

test('who may not read the other entity sees ids, and is asked nothing of it', async ({
  api,
  browser,
}) => {
  await installReferences(api, 'Shut', 'ShutClerk')
  const user = { email: 'shut@example.com', password: 'words of a clerk', profile: {} }
  const made = await api.post('/api/users/init', { data: { ...user, roles: ['ShutClerk'] } })
  const { userId } = (await made.json()).data[0]
  await api.patch(`/api/users/${userId}`, { data: { status: 'ACTIVATED' } })
  const page = await browser.newPage({ baseURL: BASE_URL })
  await page.goto('/login')
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill(user.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('button', { name: /^Account / })).toBeVisible()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/ShutCustomer')) asked.push(request.url())
  })
  await page.goto(`/entities/ShutOrder?filter=${JSON.stringify(isCustomer(5))}`)
  const cells = page.getByRole('table').locator('td[data-field=customer]')
  await expect(cells).toHaveText(Array(5).fill('5'))
  await expect(cells.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Conditions' })).toContainText('Customer is 5')
  await page.getByRole('button', { name: 'Columns' }).click()
  await expect(page.getByRole('searchbox', { name: 'Find a column' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Related records' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Filter/ }).click()
  await expect(page.getByRole('textbox', { name: 'Value' })).toHaveValue('5')
  await expect(page.getByRole('combobox', { name: /^Field of/ })).toHaveCount(0)
  expect(asked).toEqual([])
  await page.close()
})
