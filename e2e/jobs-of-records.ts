import { installBooks } from './books'
import { expect } from './fixtures'
import type { Job, Tools } from './job'

/** Jobs on records of entities, by their number in `jobs.md`. */
const POEMS = encodeURIComponent('[{"field":"kind","operator":"eq","value":"poem"}]')

const shelf =
  (name: string, search = '') =>
  async ({ api }: Tools): Promise<string> => {
    await installBooks(api, name)
    return `/entities/${name}${search}`
  }

const button = (page: Tools['page'], name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })

async function filter({ page }: Tools) {
  await button(page, 'Filter').click()
  await page.getByRole('option', { name: 'Title' }).click()
  await page.keyboard.type('Book 1')
  await button(page, 'Condition').click()
  await page.getByRole('option', { name: 'Pages' }).click()
  await page.keyboard.type('120')
  await page.keyboard.press('Enter')
  await expect(page.getByText('1–1 of 1')).toBeVisible()
}

async function editCell({ page }: Tools) {
  await page.locator('tbody tr').first().locator('td[data-field="title"]').dblclick()
  await page.getByRole('dialog').getByLabel('Title').fill('Book zero')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Book zero').first()).toBeVisible()
}

async function editMany({ page }: Tools) {
  await button(page, 'Edit 50 matching records').click()
  await page.getByRole('option', { name: 'Lent', exact: true }).click()
  await page.getByRole('radio', { name: 'Yes' }).click()
  await button(page, 'Edit 50 records').click()
  await expect(page.getByText('25 records edited')).toBeVisible()
}

async function undoEdit({ page }: Tools) {
  await page
    .getByRole('row', { name: /^Undone/ })
    .getByRole('button', { name: /^Restore/ })
    .click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Restore/ })
    .click()
  await expect(page.getByText(/150 records restored/)).toBeVisible()
}

async function create({ page }: Tools) {
  await button(page, 'Create').click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('textbox', { name: 'title' }).fill('A new one')
  await panel.getByRole('textbox', { name: 'pages' }).fill('321')
  await panel.getByRole('button', { name: 'Create' }).click()
  await expect(panel.getByText('A new one').first()).toBeVisible()
}

async function restoreVersion({ page }: Tools) {
  await page.getByRole('tab', { name: 'History' }).click()
  const list = page.getByRole('list', { name: 'History' })
  await list
    .getByRole('button', { name: /^Restore/ })
    .first()
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText('The version is restored')).toBeVisible()
}

async function deleteMany({ page }: Tools) {
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await button(page, 'Delete').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 50' }).click()
  await expect(page.getByText('50 records deleted')).toBeVisible()
}

async function restore({ page }: Tools) {
  await page
    .getByRole('row', { name: /^Gone\s/ })
    .getByRole('button', { name: /^Restore/ })
    .click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Restore/ })
    .click()
  await expect(page.getByText('150 records restored')).toBeVisible()
}

async function exportCsv({ page }: Tools) {
  await button(page, 'Export').click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'CSV' }).first().click()
  await (await download).path()
}

async function saveView({ page }: Tools) {
  await button(page, 'Views').click()
  await page.getByRole('menuitem', { name: 'Save as a new view' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Poems')
  await page.getByRole('combobox', { name: 'Visible to' }).click()
  await page.getByRole('option', { name: 'Everyone' }).click()
  await button(page, 'Save').click()
  await expect(page.getByRole('button', { name: 'Poems' })).toBeVisible()
}

const changed = async (tools: Tools) => {
  const path = await shelf('Changed', '?record=1')(tools)
  await tools.page.request.patch('/api/entities/Changed/1', {
    headers: { Origin: new URL(tools.page.url()).origin },
    data: { title: 'Second' },
  })
  return path
}

const inTrash = (entity: string, method: 'patch' | 'delete') => async (tools: Tools) => {
  await shelf(entity)(tools)
  const set = method === 'patch' ? { set: { pages: 1000 } } : {}
  await tools.api[method](`/api/entities/${entity}/batch?undo=7d`, { data: { entity, ...set } })
  return '/trash'
}

export const JOBS_OF_RECORDS: Record<number, Job> = {
  1: { begin: shelf('Found'), act: filter, clicks: 4 },
  2: { begin: shelf('Celled'), act: editCell, clicks: 2 },
  3: { begin: shelf('Many', `?filter=${POEMS}`), act: editMany, clicks: 4 },
  4: { begin: inTrash('Undone', 'patch'), act: undoEdit, clicks: 2 },
  5: { begin: shelf('Made'), act: create, clicks: 2 },
  6: { begin: changed, act: restoreVersion, clicks: 3 },
  7: { begin: shelf('Dropped', `?filter=${POEMS}`), act: deleteMany, clicks: 3 },
  8: { begin: inTrash('Gone', 'delete'), act: restore, clicks: 2 },
  9: { begin: shelf('Exported', `?filter=${POEMS}`), act: exportCsv, clicks: 2 },
  10: { begin: shelf('Viewed', `?filter=${POEMS}`), act: saveView, clicks: 5 },
}
