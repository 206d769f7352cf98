import { readFile } from 'node:fs/promises'
import type { APIRequestContext, Page, Route } from '@playwright/test'
import { dropFile } from './drop-file'
import { expect, expectAccessible, test } from './fixtures'
import { installMembers, people } from './members'

const recordsOf = async (api: APIRequestContext, entity: string) =>
  (await (await api.get(`/api/entities/${entity}?size=1000&sort=name`)).json()).data

const importsOf = async (page: Page) =>
  (await (await page.request.get('/api/imports')).json()).data as { id: string; status: string }[]

test('a dropped file is imported with one click', async ({ admin, api }) => {
  await installMembers(api, 'Subscriber')
  await admin.goto('/entities/Subscriber')
  await expect(admin.getByText('No records yet')).toBeVisible()
  await dropFile(admin, 'members.csv', people(1234))
  const dialog = admin.getByRole('dialog', { name: 'Import into Subscriber' })
  await expect(dialog.getByText('1,234 rows checked: all can be imported.')).toBeVisible()
  await expect(dialog.getByLabel('Field of the column E-Mail')).toHaveValue('email')
  await expect(dialog.getByText('p0@example.com · p1@example.com')).toBeVisible()
  await expectAccessible(admin)
  expect(await recordsOf(api, 'Subscriber')).toEqual([])
  await dialog.getByRole('button', { name: 'Import 1,234 records', exact: true }).click()
  await expect(dialog.getByText('The file is imported.')).toBeVisible()
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await expect(dialog).toBeHidden()
  await expect(admin.getByText('1–50 of 1,234')).toBeVisible()
  expect(await recordsOf(api, 'Subscriber')).toHaveLength(1000)
})

test('a wrong import is undone where it is found, and what was changed since stays', async ({
  admin,
  api,
}) => {
  // Of its own, also where it is tried again.
  const entity = `Tenant${Date.now().toString(36)}`
  const file = `${entity}.csv`
  await installMembers(api, entity)
  await api.post(`/api/entities/${entity}`, { data: { name: 'Ann', email: 'p0@example.com' } })
  await admin.goto(`/entities/${entity}`)
  await dropFile(admin, file, 'name,email\nBea,p7@example.com\nCleo,p8@example.com\n')
  const dialog = admin.getByRole('dialog', { name: `Import into ${entity}` })
  await dialog.getByRole('button', { name: 'Import 2 records', exact: true }).click()
  await expect(dialog.getByRole('button', { name: 'Undo the import' })).toBeVisible()
  const { data } = await (await api.get(`/api/entities/${entity}?filter=name:eq:Cleo`)).json()
  await api.patch(`/api/entities/${entity}/${data[0].persistenceId}`, { data: { age: 30 } })
  await admin.goto('/trash')
  await admin.getByRole('row', { name: new RegExp(`^${entity} Import`) }).click()
  const panel = admin.getByRole('dialog', { name: `Imported into ${entity}` })
  await expect(panel.getByText(file)).toBeVisible()
  const changed = panel.getByRole('list', { name: 'Changed records' })
  await expect(changed.getByRole('listitem').first()).toContainText(/Bea.*Created · p7@example/)
  await expectAccessible(admin)
  await admin.goto('/imports')
  await admin.getByRole('button', { name: `Undo the import of ${file}` }).click()
  await expect(admin.getByText('The import is undone: 1 record, 1 record kept')).toBeVisible()
  const names = (await recordsOf(api, entity)) as { name: string }[]
  expect(names.map(({ name }) => name).sort()).toEqual(['Ann', 'Cleo'])
  // Not all of it is undone.
  const row = admin.getByRole('row', { name: file })
  await expect(row.getByText('Imported', { exact: true })).toBeVisible()
  const last = row.getByRole('button', { name: `Remove from the list: ${file}` })
  await expect(last).toBeInViewport({ ratio: 1 })
})

test('what is wrong is said at once; good rows are imported, the refused ones corrected and dropped again', async ({
  admin,
  api,
}) => {
  await installMembers(api, 'Attendee')
  await admin.goto('/entities/Attendee')
  await admin.waitForLoadState('networkidle')
  const file =
    'Full name,contact,age,Remarks\nAnn,ann@example.com,31,x\nBob,bob@example.com,old,y\n,c@example.com,5,\n'
  const [chooser] = await Promise.all([
    admin.waitForEvent('filechooser'),
    admin.getByRole('button', { name: 'Import', exact: true }).click(),
  ])
  await chooser.setFiles({ name: 'attendees.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  const dialog = admin.getByRole('dialog', { name: 'Import into Attendee' })
  await expect(dialog.getByText('3 rows checked: 2 rows are refused.')).toBeVisible()
  await expect(dialog.getByText('Left out: is not a field of Attendee')).toHaveCount(2)
  await expect(dialog.getByText('1 record has age = old')).not.toHaveCount(0)
  await dialog.getByLabel('Field of the column contact').selectOption('email')
  await expect(dialog.getByText('Left out: is not a field of Attendee')).toHaveCount(0)
  await expect(dialog.getByText('Left out: is left out by the mapping')).toBeVisible()
  await expect(dialog.getByText('3 rows checked: 2 rows are refused.')).toBeVisible()
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Import 1 record', exact: true }).click()
  await expect(dialog.getByText('The file is imported.')).toBeVisible()
  const [download] = await Promise.all([
    admin.waitForEvent('download'),
    dialog.getByRole('link', { name: '2 refused rows' }).click(),
  ])
  const refused = await readFile(await download.path(), 'utf8')
  expect(refused).toContain('Bob,bob@example.com,old,y,')
  const corrected = refused.replace(',old,', ',40,').replace('\n,c@', '\nCid,c@')
  await dropFile(admin, download.suggestedFilename(), corrected)
  await expect(dialog.getByText('2 rows checked: all can be imported.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Import 2 records', exact: true }).click()
  await expect(dialog.getByText('The file is imported.')).toBeVisible()
  await admin.goto('/imports')
  const rows = admin.getByRole('table', { name: 'Imports' }).getByRole('row')
  const first = rows.filter({
    has: admin.getByRole('link', { name: 'attendees.csv', exact: true }),
  })
  await expect(first).toContainText('Imported in part')
  await expectAccessible(admin)
  await first.getByRole('link', { name: 'Download the refused rows of attendees.csv' }).click()
  await first.getByRole('link', { name: 'attendees.csv', exact: true }).click()
  await expect(dialog.getByText('The file is imported.')).toBeVisible()
  await admin.goBack()
  await first.getByRole('button', { name: 'Remove from the list: attendees.csv' }).click()
  await expect(first).toBeHidden()
  expect(await recordsOf(api, 'Attendee')).toMatchObject([
    { name: 'Ann', email: 'ann@example.com', age: 31 },
    { name: 'Bob', email: null, age: 40 },
    { name: 'Cid', email: null, age: 5 },
  ])
})

test('references are given by name, and what is refused has the labels of the table', async ({
  admin,
  api,
}) => {
  await installMembers(api, 'Sponsor')
  for (const name of ['Ann', 'Bea', 'Bea'])
    await api.post('/api/entities/Sponsor', { data: { name } })
  const [ann] = await recordsOf(api, 'Sponsor')
  await installMembers(api, 'Sponsored', [
    {
      ...{ name: 'sponsor', type: 'integer', label: 'Paid by' },
      reference: { entity: 'Sponsor', field: 'id' },
    },
  ])
  await admin.goto('/entities/Sponsored')
  await dropFile(admin, 'members.csv', 'Full name,Paid by\nCid,Ann\nDan,Bea\nEve,Zoe\nFay,\n')
  const dialog = admin.getByRole('dialog', { name: 'Import into Sponsored' })
  await expect(dialog.getByText('4 rows checked: 2 rows are refused.')).toBeVisible()
  const refused = dialog.getByRole('list', { name: 'Refused rows by rule' })
  await expect(refused).toContainText('“Bea” is the name of several records in Sponsor')
  await expect(refused).toContainText('Paid by')
  await expect(refused).toContainText('Zoe')
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Import 2 records', exact: true }).click()
  await expect(dialog.getByText('The file is imported.')).toBeVisible()
  const [cid, fay] = await recordsOf(api, 'Sponsored')
  expect([cid.sponsor, fay.sponsor]).toEqual([ann.id, null])
})

test('stored records are updated by a unique field', async ({ admin, api }) => {
  await installMembers(api, 'Buyer')
  await api.post('/api/entities/Buyer', {
    data: { name: 'Ann', email: 'ann@example.com', age: 30, level: 'gold' },
  })
  await admin.goto('/entities/Buyer')
  await dropFile(
    admin,
    'clients.jsonl',
    '{"email":"ann@example.com","name":"Anna"}\n{"email":"bob@example.com","name":"Bob"}\n',
  )
  const dialog = admin.getByRole('dialog', { name: 'Import into Buyer' })
  // What the file holds decides; nobody has to choose.
  await expect(dialog.getByText('1 record exists and is updated, 1 is new.')).toBeVisible()
  await expect(dialog.getByRole('radio', { name: 'Create or update' })).toBeChecked()
  // The key of the entity is not in the file.
  await expect(dialog.getByLabel('Records are found by')).toHaveValue('email')
  await expect(dialog.getByText('2 rows checked: all can be imported.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Import 2 records', exact: true }).click()
  await expect(dialog.getByText('The file is imported.')).toBeVisible()
  expect(await recordsOf(api, 'Buyer')).toMatchObject([
    { name: 'Anna', email: 'ann@example.com', age: 30, level: 'gold' },
    { name: 'Bob', level: null },
  ])
})

test('a file of stored records says that it updates them, each fault once', async ({
  admin,
  api,
}) => {
  await installMembers(api, 'Patron')
  const stored = Array.from({ length: 120 }, (_, n) => ({
    name: `C${n}`,
    email: `c${n}@example.com`,
  }))
  await api.post('/api/entities/Patron/batch', { data: stored })
  await admin.goto('/entities/Patron')
  const rows = stored.map(({ email }, n) => `${email},${n === 5 ? 'old' : n + 1}\n`).join('')
  await dropFile(admin, 'ages.csv', `email,age\n${rows}`)
  const dialog = admin.getByRole('dialog', { name: 'Import into Patron' })
  await expect(dialog.getByText('120 rows checked: 1 row is refused.')).toBeVisible()
  await expect(dialog.getByText('These 119 records exist: update them.')).toBeVisible()
  await expect(dialog.getByRole('radio', { name: 'Update', exact: true })).toBeChecked()
  await expect(dialog.getByText(/1 record has age = old/)).toHaveCount(1)
  await expect(dialog.getByText(/have no name|first 100/)).toHaveCount(0)
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Update 119 records', exact: true }).click()
  await expect(dialog.getByText('The file is imported.')).toBeVisible()
  expect((await recordsOf(api, 'Patron'))[0]).toMatchObject({ name: 'C0', age: 1 })
  const entries = await api.get('/api/entities/EngineAuditLog?filter=objectType:eq:Patron&size=100')
  const actions = (await entries.json()).data.map(({ action }: { action: string }) => action)
  // The dry runs are not in it.
  expect(actions.filter((one: string) => one.startsWith('imports.'))).toEqual(['imports.create'])
})

test('the check survives a reload, and so does the result', async ({ admin, api }) => {
  await installMembers(api, 'Pupil')
  await admin.goto('/entities/Pupil')
  await dropFile(admin, 'pupils.csv', people(300))
  const dialog = admin.getByRole('dialog', { name: 'Import into Pupil' })
  await expect(dialog.getByText('300 rows checked: all can be imported.')).toBeVisible()
  await dialog.getByLabel('Field of the column age').selectOption('')
  await expect(dialog.getByText('Left out: is left out by the mapping')).toBeVisible()
  await expect(dialog.getByText('300 rows checked: all can be imported.')).toBeVisible()
  await admin.reload()
  await expect(dialog.getByText('300 rows checked: all can be imported.')).toBeVisible()
  await expect(dialog.getByLabel('Field of the column age')).toHaveValue('')
  await dialog.getByRole('button', { name: 'Import 300 records', exact: true }).click()
  await expect(dialog.getByText('The file is imported.')).toBeVisible()
  await admin.reload()
  await expect(dialog.getByText('The file is imported.')).toBeVisible()
  expect((await recordsOf(api, 'Pupil'))[0]).toMatchObject({ name: 'Person 0', age: null })
  // Dry runs leave nothing in the list.
  expect((await importsOf(admin)).filter(({ status }) => status !== 'DONE')).toEqual([])
})

test('an import goes on while other pages are visited, and its end is announced', async ({
  admin,
  api,
}) => {
  await installMembers(api, 'Visitor')
  const held: Route[] = []
  await admin.route(/\/import\?dryRun=false/, (route) => void held.push(route))
  await admin.goto('/entities/Visitor')
  await dropFile(admin, 'visitors.csv', people(20))
  const dialog = admin.getByRole('dialog', { name: 'Import into Visitor' })
  await dialog.getByRole('button', { name: 'Import 20 records', exact: true }).click()
  await expect.poll(() => held.length).toBe(1)
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await admin.getByRole('link', { name: 'Users', exact: true }).click()
  await expect(admin).toHaveURL(/\/users/)
  const chip = admin.getByRole('banner').getByRole('button', { name: /^Running: Importing/ })
  await expect(chip).toBeVisible()
  await held[0]?.continue()
  await expect(admin.getByText('visitors.csv is imported into Visitor')).toBeVisible()
  await expect(chip).toBeHidden()
  expect(await recordsOf(api, 'Visitor')).toHaveLength(20)
  await admin.getByRole('link', { name: 'Open', exact: true }).click()
  await expect(dialog.getByText('The file is imported.')).toBeVisible()
})

test('a file that a spreadsheet saved in an encoding of its own is read in it', async ({
  admin,
  api,
}) => {
  await installMembers(api, 'Emigrant')
  await admin.goto('/entities/Emigrant')
  await admin.waitForLoadState('networkidle')
  const [chooser] = await Promise.all([
    admin.waitForEvent('filechooser'),
    admin.getByRole('button', { name: 'Import', exact: true }).click(),
  ])
  const buffer = Buffer.from('name;age\nJ\xf6rg;44\n', 'latin1')
  await chooser.setFiles({ name: 'emigrants.csv', mimeType: 'text/csv', buffer })
  const dialog = admin.getByRole('dialog', { name: 'Import into Emigrant' })
  await expect(dialog.getByRole('alert')).toContainText('is not valid UTF-8')
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Read it as Windows-1252' }).click()
  await expect(dialog.getByText('1 row checked: all can be imported.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Import 1 record', exact: true }).click()
  await expect(dialog.getByText('The file is imported.')).toBeVisible()
  expect(await recordsOf(api, 'Emigrant')).toMatchObject([{ name: 'Jörg', age: 44 }])
})

test('a file that can not be read says where', async ({ admin, api }) => {
  await installMembers(api, 'Broken')
  await admin.goto('/entities/Broken')
  await dropFile(admin, 'broken.csv', 'name\n"Ann\n')
  const dialog = admin.getByRole('dialog', { name: 'Import into Broken' })
  await expect(dialog.getByRole('alert')).toContainText('Line 2: a quote that begins here')
  await expect(dialog.getByRole('button', { name: 'Check again' })).toHaveCount(0)
  const [chooser] = await Promise.all([
    admin.waitForEvent('filechooser'),
    dialog.getByRole('button', { name: 'Choose another file' }).click(),
  ])
  const buffer = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])
  await chooser.setFiles({ name: 'photo.csv', mimeType: 'text/csv', buffer })
  await expect(dialog.getByRole('alert')).toContainText('This is not a CSV, XLSX, JSON')
  await expect(dialog.getByRole('button', { name: /Windows-1252/ })).toHaveCount(0)
  await expectAccessible(admin)
  await dropFile(admin, 'nothing.csv', '')
  await expect(dialog.getByRole('alert')).toContainText('The file is empty')
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(dialog).toBeHidden()
  await admin.goto('/entities/Broken?import=4f0c8b54-7f8c-4b3e-9a57-2c2f0a1d1b11')
  await expect(dialog.getByText('This import is not here')).toBeVisible()
})

test('a file without an entity becomes one', async ({ admin, api }) => {
  await admin.goto('/entities')
  const file = 'sku,Product name,price,zip\na1,Chair,12.50,01234\nb2,Table,99,99999\n'
  await dropFile(admin, 'price list.csv', file)
  const dialog = admin.getByRole('dialog', { name: 'New entity from a file' })
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('PriceList')
  await expect(dialog.getByRole('combobox', { name: 'Key', exact: true })).toHaveValue('sku')
  await expect(dialog.getByLabel('Type of price')).toHaveValue('decimal')
  await expect(dialog.getByLabel('Type of zip')).toHaveValue('string')
  await expect(dialog.getByRole('checkbox', { name: /^Keep history/ })).toBeChecked()
  await expectAccessible(admin)
  await dialog.getByLabel('Name of the property of Product name').fill('product name')
  await dialog.getByRole('button', { name: 'Create and import' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByLabel('Name of the property of Product name').fill('title')
  const most = dialog.getByLabel('Most characters of Product name')
  await expect(most).toHaveValue('50')
  await most.fill('20')
  await dialog.getByLabel('Type of zip').selectOption('Leave out')
  await dialog.getByRole('button', { name: 'Create and import' }).click()
  // It was confirmed once, with its columns.
  const next = admin.getByRole('dialog', { name: 'Import into PriceList' })
  await expect(next.getByText('The file is imported.')).toBeVisible()
  const { data } = await (await api.get('/api/entities/PriceList?sort=sku')).json()
  expect(data).toMatchObject([
    { sku: 'a1', title: 'Chair' },
    { sku: 'b2', title: 'Table' },
  ])
  expect(data[0]).not.toHaveProperty('zip')
  const history = await (await api.get('/api/entities/PriceList/a1/history')).json()
  expect(history).toMatchObject({ data: [{ kind: 'insert' }], meta: { kept: true } })
  const tooLong = { sku: 'c3', title: 'A table for twenty guests' }
  expect((await api.post('/api/entities/PriceList', { data: tooLong })).status()).toBe(400)
})
