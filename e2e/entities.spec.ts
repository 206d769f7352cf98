import { readFileSync } from 'node:fs'
import { readXlsx } from 'hucre/xlsx'
import { installBooks, ROWS, totalOf } from './books'
import { expect, expectAccessible, test } from './fixtures'

test('entities are listed with their records and defined', async ({ admin, api }) => {
  await installBooks(api, 'Listed')
  await admin.goto('/entities')
  const row = admin.getByRole('row', { name: /^Listed\s/ })
  await expect(row).toContainText('150')
  await expectAccessible(admin)
  await row.getByRole('link', { name: '7', exact: true }).click()
  await expect(admin.getByRole('link', { name: 'refers to ListedRoom.code' })).toBeVisible()
  await expectAccessible(admin)
})

test('records are sorted by several columns, filtered, paged; the address keeps it', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'PagedBook')
  await admin.goto('/entities/PagedBook')
  const table = admin.getByRole('table', { name: 'Records of PagedBook' })
  await expect(table.getByRole('row')).toHaveCount(51)
  await expect(admin.getByText('1–50 of 150')).toBeVisible()
  await expectAccessible(admin)

  await table.getByRole('button', { name: 'kind' }).click()
  await table.getByRole('button', { name: 'pages' }).click({ modifiers: ['Shift'] })
  await table.getByRole('button', { name: 'pages' }).click({ modifiers: ['Shift'] })
  await expect(table.getByRole('columnheader', { name: /^Kind/ })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  await expect(table.getByRole('row').nth(1)).toContainText('Book 148')

  await table.getByRole('cell', { name: 'atlas' }).first().click({ button: 'right' })
  await admin.getByRole('menuitem', { name: 'Only with this value' }).click()
  await expect(admin.getByText('kind is atlas')).toBeVisible()
  await expect(admin.getByText('1–50 of 50')).toBeVisible()
  await admin.reload()
  await expect(table.getByRole('row').nth(1)).toContainText('Book 148')

  const removal = admin.getByRole('button', { name: 'Remove the condition kind is atlas' })
  // The chips come alive after the rows: a click before that does nothing.
  await expect(async () => {
    if (await removal.isVisible()) await removal.click({ timeout: 1000 })
    await expect(removal).toBeHidden({ timeout: 1000 })
  }).toPass()
  await admin.getByRole('button', { name: 'Page 3' }).click()
  await expect(admin.getByText('101–150 of 150')).toBeVisible()
  await admin.getByRole('searchbox').fill('Book 00')
  await expect(admin.getByText('1–10 of 10')).toBeVisible()
})

test('a nested filter is built by hand', async ({ admin, api }) => {
  await installBooks(api, 'Nested')
  await admin.goto('/entities/Nested')
  await admin.getByRole('button', { name: 'Filter' }).click()
  // A new condition begins with the list of fields open.
  const pick = (option: string) => admin.getByRole('option', { name: option, exact: true }).click()
  const choose = async (option: string, at = 0) => {
    await admin.getByRole('combobox', { name: 'Operator' }).nth(at).click()
    await pick(option)
  }
  await pick('Pages')
  await choose('is at most')
  await admin.getByRole('textbox', { name: 'Value' }).fill('12')
  await admin.getByRole('button', { name: 'Group' }).click()
  await pick('Kind')
  await choose('is one of', 1)
  const values = admin.getByRole('combobox', { name: 'Values' })
  await values.fill('novel')
  await values.press('Enter')
  await admin.getByRole('button', { name: 'Condition', exact: true }).first().click()
  await pick('Lent')
  await admin.getByRole('button', { name: 'Apply' }).click()
  const expected = Array.from({ length: 12 }, (_, i) => i).filter((i) => i % 3 === 0 || i % 2 === 0)
  await expect(admin.getByText(`1–${expected.length} of ${expected.length}`)).toBeVisible()
})

test('a record is created with its faults shown in place, changed and deleted', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Edited')
  await admin.goto('/entities/Edited')
  await admin.getByRole('button', { name: 'Create' }).click()
  const panel = admin.getByRole('dialog')
  await panel.getByRole('textbox', { name: 'pages' }).fill('0')
  await panel.getByRole('button', { name: 'Create' }).click()
  await expect(panel.getByText('Enter a value')).toBeVisible()
  await panel.getByRole('textbox', { name: 'title' }).fill('A new one')
  await panel.getByRole('button', { name: 'Create' }).click()
  await expect(panel.getByText('must be at least 1')).toBeVisible()
  await expectAccessible(admin)
  await panel.getByRole('textbox', { name: 'pages' }).fill('321')
  await panel.getByRole('combobox', { name: 'room' }).fill('A')
  await admin.getByRole('option', { name: /A1/ }).click()
  await panel.getByRole('button', { name: 'Create' }).click()
  await expect(panel.getByText('A new one').first()).toBeVisible()
  const query = [{ field: 'title', operator: 'eq', value: 'A new one' }]
  const made = await api.post('/api/entities/Edited/search', { data: { query } })
  expect((await made.json()).data).toMatchObject([{ pages: 321, room: 'A1', kind: null }])

  await panel.getByRole('button', { name: 'A1' }).click()
  await expect(panel.getByText('EditedRoom A1')).toBeVisible()
  await admin.goBack()
  await panel.getByRole('button', { name: 'Edit' }).click()
  await panel.getByRole('textbox', { name: 'pages' }).fill('322')
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByText('322')).toBeVisible()
  const changed = await api.post('/api/entities/Edited/search', { data: { query } })
  expect((await changed.json()).data[0].pages).toBe(322)

  await panel.getByRole('button', { name: 'Delete' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Delete record' }).click()
  await expect(admin.getByText('1 record deleted')).toBeVisible()
  expect(await totalOf(api, 'Edited', query)).toBe(0)
})

test('a record is edited as JSON, and loses the undeclared fields taken out of it', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Raw')
  const kept = { title: 'Raw', pages: 7, shelf: { row: 1 }, note: 'gone soon' }
  const made = await (await api.post('/api/entities/Raw', { data: kept })).json()
  const { persistenceId } = made.data[0]
  await admin.goto(`/entities/Raw?record=${persistenceId}&edit=true`)
  await admin.getByRole('tab', { name: 'JSON' }).click()
  const box = admin.getByRole('textbox', { name: 'Record' })
  const { note: _, ...rest } = JSON.parse(await box.inputValue())
  await box.fill(JSON.stringify({ ...rest, pages: 8, shelf: { row: 2 } }))
  await admin.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByText('Saved')).toBeVisible()
  const [record] = (await (await api.get(`/api/entities/Raw/${persistenceId}`)).json()).data
  expect(record).toMatchObject({ title: 'Raw', pages: 8, shelf: { row: 2 } })
  expect(record).not.toHaveProperty('note')

  await admin.getByRole('button', { name: 'Undo' }).click()
  await expect(admin.getByText('The change is undone')).toBeVisible()
  const [undone] = (await (await api.get(`/api/entities/Raw/${persistenceId}`)).json()).data
  expect(undone).toMatchObject(kept)
})

test('a change is not undone over a later one', async ({ admin, api }) => {
  await installBooks(api, 'Later')
  const path = '/api/entities/Later/3'
  await admin.goto('/entities/Later?record=3&edit=true')
  await admin.getByRole('textbox', { name: 'title' }).fill('Mine')
  await admin.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByText('Saved')).toBeVisible()
  await api.patch(path, { data: { title: 'Theirs' } })
  await admin.getByRole('button', { name: 'Undo' }).click()
  await expect(admin.getByText('The record has changed since it was read')).toBeVisible()
  expect((await (await api.get(path)).json()).data[0].title).toBe('Theirs')
})

test('all matching records are deleted after the entity’s name is typed', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Emptied')
  await admin.goto('/entities/Emptied?filter=[{"field":"pages","operator":"gt","value":20}]')
  await expect(admin.getByText('1–50 of 130')).toBeVisible()
  await admin.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await admin.getByRole('button', { name: 'Select all 130 matching' }).click()
  await admin.getByRole('button', { name: 'Delete' }).click()
  const dialog = admin.getByRole('alertdialog')
  const confirm = dialog.getByRole('button', { name: 'Delete 130' })
  await expect(confirm).toBeDisabled()
  await expectAccessible(admin)
  await dialog.getByRole('textbox').fill('Emptied')
  await confirm.click()
  await expect(admin.getByText('130 records deleted')).toBeVisible()
  expect(await totalOf(api, 'Emptied')).toBe(20)
  await admin.getByRole('button', { name: 'Undo' }).click()
  await expect(admin.getByText('130 records restored')).toBeVisible()
  expect(await totalOf(api, 'Emptied')).toBe(ROWS)
})

test('a range of rows is selected with Shift and by keyboard', async ({ admin, api }) => {
  await installBooks(api, 'Ranged')
  await admin.goto('/entities/Ranged')
  const boxes = admin.getByRole('checkbox', { name: /^Select \d/ })
  await boxes.nth(1).click()
  await boxes.nth(4).click({ modifiers: ['Shift'] })
  await expect(admin.getByText('4 selected')).toBeVisible()
  const rows = admin.getByRole('table').locator('tbody tr')
  await rows.nth(6).focus()
  await admin.keyboard.press('Space')
  await expect(admin.getByText('5 selected')).toBeVisible()
  await admin.keyboard.press('ArrowDown')
  await admin.keyboard.press('Enter')
  await expect(admin.getByRole('dialog')).toContainText('Book 007')
})

test('a range grows and shrinks from its anchor, and exactly its rows are deleted', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Anchored')
  await admin.goto('/entities/Anchored')
  const rows = admin.getByRole('table').locator('tbody tr')
  const chosen = async () =>
    (await rows.getByRole('checkbox', { checked: true }).all()).length === 0
      ? []
      : rows
          .filter({ has: admin.getByRole('checkbox', { checked: true }) })
          .locator('[data-field=id]')
          .allInnerTexts()
  const press = async (...keys: string[]) => {
    for (const key of keys) await admin.keyboard.press(key)
  }
  await rows.nth(2).focus()
  await press('Space', 'Shift+ArrowDown', 'Shift+ArrowDown')
  await expect.poll(chosen).toEqual(['3', '4', '5'])
  await press('Shift+ArrowUp')
  await expect.poll(chosen).toEqual(['3', '4'])
  await press('Shift+ArrowUp', 'Shift+ArrowUp')
  await expect.poll(chosen).toEqual(['2', '3'])
  await rows.nth(6).getByRole('checkbox').click()
  await rows
    .nth(8)
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] })
  await expect.poll(chosen).toEqual(['2', '3', '7', '8', '9'])
  await rows
    .nth(5)
    .getByText('Book 005')
    .click({ modifiers: ['Shift'] })
  await expect.poll(chosen).toEqual(['2', '3', '6', '7'])
  await admin.getByRole('button', { name: 'Delete' }).click()
  await admin.getByRole('button', { name: 'Delete 4' }).click()
  await expect(admin.getByText('4 records deleted')).toBeVisible()
  const left = await api.get('/api/entities/Anchored?fields=id&size=6&sort=id:asc')
  expect((await left.json()).data).toEqual([1, 4, 5, 8, 9, 10].map((id) => ({ id })))
})

test('fields with commas in their names are shown, sorted and kept in the address', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Named')
  const field = 'last, first'
  for (const name of ['Austen, Jane', 'Zola, Émile']) {
    const made = await api.post('/api/entities/Named', { data: { title: 'x', [field]: name } })
    expect(made.status()).toBe(201)
  }
  await admin.goto('/entities/Named')
  await admin.getByRole('button', { name: 'Columns' }).click()
  await admin.getByRole('checkbox', { name: field }).check()
  await admin.keyboard.press('Escape')
  const header = admin.getByRole('columnheader', { name: field })
  await header.getByRole('button').first().click()
  await header.getByRole('button').first().click()
  await expect(header).toHaveAttribute('aria-sort', 'descending')
  await admin.reload()
  await expect(header).toHaveAttribute('aria-sort', 'descending')
  const rows = admin.getByRole('table').locator('tbody tr')
  await expect(rows.first()).toContainText('Zola, Émile')
  await expect(rows.nth(1)).toContainText('Austen, Jane')
})

test('columns are hidden and the table asks for the shown ones alone', async ({ admin, api }) => {
  await installBooks(api, 'Narrow')
  await admin.goto('/entities/Narrow')
  const asked = admin.waitForRequest(/\/api\/entities\/Narrow\/search/)
  await admin.getByRole('button', { name: 'Columns' }).click()
  await admin.getByRole('checkbox', { name: 'bought' }).uncheck()
  const { fields } = (await asked).postDataJSON()
  expect(fields).toEqual(['persistenceId', 'id', 'title', 'kind', 'pages', 'lent', 'room'])
  await admin.keyboard.press('Escape')
  await expect(admin.getByRole('columnheader', { name: /bought/ })).toHaveCount(0)
})

test('the view is shown as curl and JSON', async ({ admin, api }) => {
  await installBooks(api, 'Shared')
  await admin.goto('/entities/Shared?sort=pages:desc')
  await admin.getByRole('button', { name: 'More actions' }).click()
  await admin.getByRole('menuitem', { name: 'API' }).click()
  await expect(admin.getByRole('region', { name: 'curl' })).toContainText('curl -X POST')
  await admin.getByRole('tab', { name: 'JSON' }).click()
  const text = await admin.getByRole('region', { name: 'JSON' }).innerText()
  const response = await api.post('/api/entities/Shared/search', { data: JSON.parse(text) })
  expect((await response.json()).data[0].title).toBe('Book 149')
})

test('exactly what is filtered is exported, in every format', async ({ admin, api }) => {
  await installBooks(api, 'Exported')
  await admin.goto(
    '/entities/Exported?cols=title,pages&sort=pages:desc&filter=[{"field":"kind","operator":"eq","value":"poem"}]',
  )
  const save = async (format: string, every = false) => {
    await admin.getByRole('button', { name: 'Export', exact: true }).click()
    const download = admin.waitForEvent('download')
    await admin
      .getByRole('menuitem', { name: format })
      .nth(every ? 1 : 0)
      .click()
    const file = await download
    expect(file.suggestedFilename()).toBe(`Exported.${format.toLowerCase()}`)
    return readFileSync(await file.path())
  }
  const csv = (await save('CSV')).toString().trim().split('\r\n')
  expect(csv).toHaveLength(51)
  expect(csv.slice(0, 2)).toEqual(['title,pages', 'Book 149,150'])
  const json = JSON.parse((await save('JSON', true)).toString())
  expect(json).toHaveLength(50)
  expect(json[0]).toMatchObject({ title: 'Book 149', kind: 'poem', room: 'A1' })
  const { sheets } = await readXlsx(new Uint8Array(await save('XLSX')))
  expect(sheets[0]?.rows.slice(0, 2)).toEqual([
    ['Title', 'Pages'],
    ['Book 149', 150],
  ])
})

test('a filter is read as the API writes it, and one that comes back says so', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Filtered')
  await admin.goto('/entities/Filtered?filter=pages:gt:140,kind:in:poem|atlas')
  const chips = admin.getByRole('list', { name: 'Conditions' })
  await expect(chips).toContainText('Pages is greater than 140')
  await expect(chips).toContainText('Kind is one of poem, atlas')
  await expect(admin.getByText('1–7 of 7')).toBeVisible()
  await expect(admin.getByText('Filtered as you left it.')).toHaveCount(0)
  // Every size shows all of them.
  await expect(admin.getByLabel('Rows per page')).toBeHidden()

  await chips.getByRole('button', { name: /^Remove the condition Kind/ }).click()
  await expect(admin.getByText('1–10 of 10')).toBeVisible()
  await admin.goto('/entities/Filtered')
  await expect(admin.getByText('Filtered as you left it.')).toBeVisible()
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Show all records' }).click()
  await expect(admin.getByText('1–50 of 150')).toBeVisible()
  await expect(admin.getByText('Filtered as you left it.')).toHaveCount(0)
  await expect(admin.getByLabel('Rows per page')).toBeVisible()
})

test('a record stands beside the table, which stays usable', async ({ admin, api }) => {
  await installBooks(api, 'Beside')
  await admin.setViewportSize({ width: 1440, height: 900 })
  await admin.goto('/entities/Beside?sort=id:asc')
  const rows = admin.getByRole('table').locator('tbody tr')
  await rows.nth(1).getByRole('cell').nth(2).click()
  const panel = admin.getByRole('dialog')
  await expect(panel).toContainText('Book 001')
  await expectAccessible(admin)
  const [table, beside] = [admin.getByRole('table').locator('..'), panel]
  const [left, right] = [await table.boundingBox(), await beside.boundingBox()]
  expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(right?.x ?? 0)

  await rows.nth(4).getByRole('cell').nth(2).click()
  await expect(panel).toContainText('Book 004')
  await expect(rows.nth(4)).toHaveAttribute('aria-current', 'true')
  await admin.keyboard.press('j')
  await expect(panel).toContainText('Book 005')
  await admin.keyboard.press('k')
  await admin.keyboard.press('k')
  await expect(panel).toContainText('Book 003')
  await rows.nth(7).getByRole('checkbox').check()
  await rows.nth(8).getByRole('checkbox').check()
  await expect(admin.getByText('2 selected')).toBeVisible()
  await expect(panel).toContainText('Book 003')

  const edge = panel.getByRole('separator', { name: 'Width of the panel' })
  await edge.focus()
  for (let step = 0; step < 4; step++) await admin.keyboard.press('ArrowLeft')
  await expect.poll(async () => (await panel.boundingBox())?.width).toBe(576 + 4 * 24)
  await admin.reload()
  await expect.poll(async () => (await panel.boundingBox())?.width).toBe(576 + 4 * 24)
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(panel).toHaveCount(0)
  const whole = await table.boundingBox()
  expect(whole?.width).toBeGreaterThan((left?.width ?? 0) + 300)

  await admin.setViewportSize({ width: 390, height: 800 })
  await admin.goto('/entities/Beside?record=2')
  await expect.poll(async () => (await panel.boundingBox())?.width).toBe(390)
})

test('an entity has few buttons, each with words where there is little room', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Buttons')
  await admin.setViewportSize({ width: 390, height: 800 })
  await admin.goto('/entities/Buttons')
  const header = admin.locator('[data-page-actions]').first()
  await expect(header.getByRole('button')).toHaveText(['Export', 'Import', '', 'Create'])
  await header.getByRole('button', { name: 'More actions' }).click()
  await expect(admin.getByRole('menuitem')).toHaveText(['API', 'Definition', 'Deleted records'])
  await expectAccessible(admin)
})

test('without a connection the table, its order and Save say what they wait for', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Cut')
  await admin.goto('/entities/Cut?sort=title:asc&record=2&edit=true')
  const first = admin.getByRole('table').locator('tbody tr').first()
  const panel = admin.getByRole('dialog')
  await panel.getByRole('textbox', { name: 'Title' }).fill('Typed without a connection')
  await admin.context().setOffline(true)
  await expect(admin.getByText('You are offline.')).toBeVisible()
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByRole('button', { name: 'Waiting for the connection' })).toBeVisible()
  await expect(panel.getByRole('textbox', { name: 'Title' })).toHaveValue(/without a connection/)
  await admin.context().setOffline(false)
  await expect(admin.getByText('Saved')).toBeVisible()
  await expect(admin.getByText('You are offline.')).toHaveCount(0)
  const [saved] = (await (await api.get('/api/entities/Cut/2')).json()).data
  expect(saved.title).toBe('Typed without a connection')

  await admin.goto('/entities/Cut?sort=title:asc')
  await expect(first).toContainText('Book 000')
  await admin.context().setOffline(true)
  const heading = admin.getByRole('columnheader', { name: /^Pages/ })
  await heading.getByRole('button').first().click()
  await expect(admin.getByText('These are the rows from before')).toBeVisible()
  await expect(admin.getByRole('columnheader', { name: /^Title/ })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  await expect(heading).not.toHaveAttribute('aria-sort', 'ascending')
  await expectAccessible(admin)
  await admin.context().setOffline(false)
  await expect(heading).toHaveAttribute('aria-sort', 'ascending')
  await expect(admin.getByText('These are the rows from before')).toHaveCount(0)
})
