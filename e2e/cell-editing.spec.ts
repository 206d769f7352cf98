import type { APIRequestContext, Page } from '@playwright/test'
import { installBooks } from './books'
import { expect, expectAccessible, test } from './fixtures'
import { signedIn } from './signed-in'

const rowsOf = (page: Page) => page.getByRole('table').locator('tbody tr')
const cellOf = (page: Page, field: string, row = 0) =>
  rowsOf(page).nth(row).locator(`td[data-field="${field}"]`)
const editorOf = (page: Page) => page.getByRole('dialog', { name: /^Edit / })

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

const stored = async (api: APIRequestContext, entity: string, id = 1) =>
  (await (await api.get(`/api/entities/${entity}/${id}`)).json()).data[0]

test('a cell is edited by a double click, and a click opens its record', async ({ admin, api }) => {
  await installBooks(api, 'Celled')
  await admin.goto('/entities/Celled')
  await cellOf(admin, 'title').dblclick()
  const editor = editorOf(admin)
  await expect(editor).toHaveAccessibleName('Edit Title of Book 000')
  await expect(editor.getByLabel('Title')).toBeFocused()
  await expect(editor.getByLabel('Title')).toHaveValue('Book 000')
  await expectAccessible(admin)
  await editor.getByLabel('Title').fill('Book zero')
  await press(admin, 'Enter')
  await expect(editor).toHaveCount(0)
  await expect(cellOf(admin, 'title')).toHaveText('Book zero')
  await expect(cellOf(admin, 'title')).toBeFocused()
  await expect.poll(async () => (await stored(api, 'Celled')).title).toBe('Book zero')
  await admin.getByRole('button', { name: 'Undo' }).click()
  await expect(cellOf(admin, 'title')).toHaveText('Book 000')
  expect((await stored(api, 'Celled')).title).toBe('Book 000')
  await cellOf(admin, 'kind').click()
  await expect(admin.getByRole('dialog').getByRole('button', { name: 'Edit' })).toBeVisible()
})

test('cells are edited one after the other by keyboard', async ({ admin, api }) => {
  await installBooks(api, 'Keys')
  await admin.goto('/entities/Keys')
  await rowsOf(admin).first().focus()
  // Past the box and the key, to the title.
  await press(admin, 'ArrowRight', 'ArrowRight', 'Enter')
  await expect(admin.getByText(/ID is the key/)).toBeVisible()
  await press(admin, 'ArrowRight', 'Enter')
  await editorOf(admin).getByLabel('Title').fill('One')
  await press(admin, 'Tab')
  await expect(editorOf(admin)).toHaveAccessibleName(/^Edit Kind/)
  await expect(admin.getByRole('option', { name: 'atlas' })).toBeVisible()
  await press(admin, 'ArrowDown', 'Enter')
  await expect(editorOf(admin)).toHaveCount(0)
  await expect(cellOf(admin, 'kind')).toHaveText('atlas')
  await expect(cellOf(admin, 'kind')).toBeFocused()
  await press(admin, 'ArrowRight', 'F2')
  await editorOf(admin).getByLabel('Pages').fill('5')
  await press(admin, 'Escape')
  await expect(editorOf(admin)).toHaveCount(0)
  await expect(cellOf(admin, 'pages')).toBeFocused()
  await expect
    .poll(() => stored(api, 'Keys'))
    .toMatchObject({ title: 'One', kind: 'atlas', pages: 1 })
  await press(admin, 'o')
  await expect(admin.getByRole('dialog').getByRole('button', { name: 'Edit' })).toBeVisible()
})

test('what is refused comes back with what was entered', async ({ admin, api }) => {
  await installBooks(api, 'Refused')
  await admin.goto('/entities/Refused')
  await cellOf(admin, 'pages').dblclick()
  await editorOf(admin).getByLabel('Pages').fill('many')
  await press(admin, 'Enter')
  await expect(editorOf(admin)).toContainText('Enter a number')
  await editorOf(admin).getByLabel('Pages').fill('0')
  await press(admin, 'Enter')
  await expect(editorOf(admin)).toContainText('must be at least 1')
  await expect(editorOf(admin).getByLabel('Pages')).toHaveValue('0')
  await expect(cellOf(admin, 'pages')).toHaveText('1')
  await expectAccessible(admin)
  await editorOf(admin).getByLabel('Pages').fill('12')
  await press(admin, 'Enter')
  await expect(cellOf(admin, 'pages')).toHaveText('12')
  await expect.poll(async () => (await stored(api, 'Refused')).pages).toBe(12)
})

test('a change by another user is shown, taken or overwritten; one of another field is no obstacle', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Raced')
  await admin.goto('/entities/Raced')
  const change = (data: object) => api.patch('/api/entities/Raced/1', { data })
  await cellOf(admin, 'title').dblclick()
  await editorOf(admin).getByLabel('Title').fill('Mine')
  await change({ pages: 77 })
  await press(admin, 'Enter')
  await expect.poll(() => stored(api, 'Raced')).toMatchObject({ title: 'Mine', pages: 77 })
  await cellOf(admin, 'title').dblclick()
  await expect(editorOf(admin).getByLabel('Title')).toHaveValue('Mine')
  await editorOf(admin).getByLabel('Title').fill('Mine again')
  await change({ title: 'Theirs' })
  await press(admin, 'Enter')
  await expect(editorOf(admin).getByRole('alert')).toContainText('Now: Theirs')
  await expect(editorOf(admin).getByLabel('Title')).toHaveValue('Mine again')
  await expect(cellOf(admin, 'title')).toHaveText('Theirs')
  await expectAccessible(admin)
  await editorOf(admin).getByRole('button', { name: 'Overwrite it' }).click()
  await expect.poll(async () => (await stored(api, 'Raced')).title).toBe('Mine again')
})

test('who may not change records opens them instead', async ({ browser, api }) => {
  await installBooks(api, 'Unchanged')
  const { page } = await signedIn(browser, api, ['VIEWER'])
  await page.goto('/entities/Unchanged')
  await cellOf(page, 'title').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await press(page, 'Escape')
  await cellOf(page, 'pages').focus()
  await press(page, 'F2')
  await expect(page.getByText(/have the right to change/)).toBeVisible()
  await press(page, 'Enter')
  await expect(page.getByRole('dialog')).toContainText('Book 000')
  await page.context().close()
})
