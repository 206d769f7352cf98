import { makeImage } from '../lib/testing/images'
import { firstVersion, secondVersion } from '../lib/testing/plugin-life'
import { installBooks } from './books'
import { dropFile } from './drop-file'
import { expect, installSample } from './fixtures'
import type { Job, Tools } from './job'

/** What an administrator is asked in a week, by its number in `jobs.md`. */
const button = (page: Tools['page'], name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })

async function airports({ api }: Tools) {
  await installSample(api, 'world-airports')
  return '/entities/Airport'
}

async function findAndSend({ page }: Tools) {
  await button(page, 'Filter').click()
  await page.getByRole('option', { name: /^Elevation/ }).click()
  await page.getByRole('combobox', { name: 'Operator' }).last().click()
  await page.getByRole('option', { name: 'is greater than', exact: true }).click()
  await page.getByRole('textbox', { name: 'Value' }).last().fill('9842')
  await button(page, 'Condition').click()
  await page.getByRole('option', { name: 'Country', exact: true }).click()
  await page.keyboard.type('Peru')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^1–\d+ of \d+$/)).toBeVisible()
  await button(page, 'Export').click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'XLSX' }).first().click()
  await (await download).path()
}

async function importedWrongly(tools: Tools) {
  const { page, api } = tools
  await installBooks(api, 'Priced')
  await page.goto('/entities/Priced')
  await dropFile(page, 'prices.csv', 'id,pages\n1,11\n2,12\n3,13\n')
  const dialog = page.getByRole('dialog', { name: 'Import into Priced' })
  await dialog.getByRole('button', { name: 'Update 3 records', exact: true }).click()
  await expect(dialog.getByText('The file is imported.')).toBeVisible()
  return '/imports'
}

async function undoImport({ page }: Tools) {
  await button(page, 'Undo the import of prices.csv').click()
  await expect(page.getByText('The import is undone: 3 records')).toBeVisible()
}

/** Two entities of which a client reads one without a column. */
async function forClient({ api }: Tools) {
  await installBooks(api, 'Offer')
  await installBooks(api, 'Stock')
  return '/api-keys'
}

async function keyForClient({ page }: Tools) {
  await button(page, 'New key').click()
  const dialog = page.getByRole('dialog', { name: 'New API key' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Partner')
  await dialog.getByRole('radio', { name: /Roles of its own/ }).click()
  await dialog.getByRole('button', { name: 'New role' }).click()
  const naming = page.getByRole('dialog', { name: 'New role' })
  await naming.getByRole('textbox', { name: 'Name' }).fill('Partner')
  await page.keyboard.press('Enter')
  await expect(naming).toBeHidden()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await button(page, 'I have copied it').click()
  await button(page, 'Actions for Partner').click()
  await page.getByRole('menuitem', { name: 'Rights of Partner' }).click()
  await mayRead(page, 'Offer', 'Pages')
  await mayRead(page, 'Stock')
}

/** Gives the role of the page the right to read an entity, but for a field. */
async function mayRead(page: Tools['page'], entity: string, without?: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search entities' }).fill(entity)
  await page.getByRole('button', { name: new RegExp(`^Read ${entity}: `) }).click()
  const form = page.getByRole('dialog', { name: `Partner: Read ${entity}` })
  if (without) await form.getByRole('checkbox', { name: without }).uncheck()
  await form.getByRole('textbox', { name: 'Name of the policy' }).press('Enter')
  await expect(form).toBeHidden()
}

const LEFT = 'has.left@example.com'

async function colleague({ api }: Tools) {
  await api.post('/api/users/init', {
    data: { email: LEFT, password: 'words of somebody who leaves', roles: ['EDITOR'], profile: {} },
  })
  return '/users'
}

async function lockOut({ page }: Tools) {
  await page.getByText(LEFT).click()
  await button(page, 'More actions').click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Disable user' }).click()
  await expect(page.getByText('Disabled').first()).toBeVisible()
}

async function installedBefore({ api }: Tools) {
  const buffer = Buffer.from(await firstVersion())
  const file = { name: 'life.zip', mimeType: 'application/zip', buffer }
  await api.post('/api/plugins/install/zip', { multipart: { file } })
  return '/plugins'
}

async function upgrade({ page }: Tools) {
  const buffer = Buffer.from(await secondVersion())
  const file = { name: 'life-2.zip', mimeType: 'application/zip', buffer }
  await page.getByLabel('Plugin archives').setInputFiles(file)
  const plan = page.getByRole('listitem').filter({ hasText: 'life-2.zip' })
  await expect(plan.getByText('Replaces version 1.0.0 with 2.0.0.')).toBeVisible()
  await plan.getByRole('button', { name: /^Install/ }).click()
  await expect(plan.getByText(/\d files? written/)).toBeVisible()
}

async function fromSheet({ page }: Tools) {
  await dropFile(page, 'staff list.csv', 'id,name,since\n1,Ann,2020-01-01\n2,Ben,2021-05-01\n')
  await button(page, 'Create and import').click()
  const dialog = page.getByRole('dialog', { name: 'Import into StaffList' })
  await expect(dialog.getByText('The file is imported.')).toBeVisible()
}

async function changedRecord({ page, api }: Tools) {
  await installBooks(api, 'Traced')
  await page.request.patch('/api/entities/Traced/1', {
    headers: { Origin: new URL(page.url()).origin },
    data: { title: 'Second' },
  })
  return '/entities/Traced'
}

async function readHistory({ page }: Tools) {
  await page.getByRole('table').getByText('Second', { exact: true }).click()
  await page.getByRole('tab', { name: 'History' }).click()
  const versions = page.getByRole('list', { name: 'History' })
  await expect(versions).toContainText('Book 000')
  await expect(versions).toContainText('admin@example.com')
}

const OLD = encodeURIComponent(
  '[{"field":"kind","operator":"eq","value":"poem"},{"field":"bought","operator":"lt","value":"2020-03-01T00:00:00Z"}]',
)

async function drafts({ api }: Tools) {
  await installBooks(api, 'Drafted')
  return `/entities/Drafted?filter=${OLD}`
}

async function deleteAndUndo({ page }: Tools) {
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await button(page, 'Delete').click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Delete \d/ })
    .click()
  await expect(page.getByText(/records deleted/)).toBeVisible()
  await button(page, 'Undo').click()
  await expect(page.getByText(/records restored/)).toBeVisible()
}

async function usedPicture({ api }: Tools) {
  const buffer = await makeImage('png', { width: 64, height: 48 })
  const file = { name: 'old.png', mimeType: 'image/png', buffer }
  const multipart = { namespace: 'jobs', assetId: 'used', file }
  const uploaded = await (await api.post('/api/images/upload', { multipart })).json()
  const { fileId, secureUri } = [uploaded.data].flat()[0]
  await installBooks(api, 'Pictured')
  for (const id of [1, 2, 3])
    await api.patch(`/api/entities/Pictured/${id}`, { data: { title: secureUri.slice(-60) } })
  return `/images?image=${fileId}`
}

async function replacePicture({ page }: Tools) {
  const choosing = page.waitForEvent('filechooser')
  await button(page, 'Replace the file').click()
  const buffer = await makeImage('png', { width: 80, height: 60 })
  await (await choosing).setFiles({ name: 'new.png', mimeType: 'image/png', buffer })
  const question = page.getByRole('alertdialog', { name: 'Replace “used”?' })
  await expect(question.getByText('can’t be undone')).toBeVisible()
  const download = page.waitForEvent('download')
  await question.getByRole('link', { name: 'Download the old file first' }).click()
  await (await download).path()
  await question.getByRole('button', { name: 'Replace image' }).click()
  await expect(page.getByText('“used” is replaced')).toBeVisible()
}

const POEMS = encodeURIComponent('[{"field":"kind","operator":"eq","value":"poem"}]')

async function filteredShelf({ api }: Tools) {
  await installBooks(api, 'Team')
  return `/entities/Team?filter=${POEMS}`
}

async function shareView({ page }: Tools) {
  await button(page, 'Views').click()
  await page.getByRole('menuitem', { name: 'Save as a new view' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Poems')
  await page.getByRole('combobox', { name: 'Visible to' }).click()
  await page.getByRole('option', { name: 'Everyone' }).click()
  await button(page, 'Save').click()
  await expect(page.getByRole('button', { name: 'Poems' })).toBeVisible()
}

async function stock({ api }: Tools) {
  await installBooks(api, 'Renamed')
  return '/entities/Renamed/definition'
}

async function renameField({ page }: Tools) {
  await button(page, 'Rename pages').click()
  const dialog = page.getByRole('dialog', { name: 'Rename pages' })
  await dialog.getByRole('textbox', { name: 'New name' }).fill('leaves')
  await dialog.getByRole('button', { name: 'Show the plan' }).click()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('pages was renamed to leaves')).toBeVisible()
}

export const JOBS_OF_A_WEEK: Record<number, Job> = {
  21: { begin: airports, act: findAndSend, clicks: 9 },
  22: { begin: importedWrongly, act: undoImport, clicks: 1 },
  23: { begin: forClient, act: keyForClient, clicks: 12 },
  24: { begin: colleague, act: lockOut, clicks: 5 },
  25: { begin: installedBefore, act: upgrade, clicks: 1 },
  26: { begin: async () => '/entities', act: fromSheet, clicks: 2 },
  27: { begin: changedRecord, act: readHistory, clicks: 2 },
  28: { begin: drafts, act: deleteAndUndo, clicks: 4 },
  29: { begin: usedPicture, act: replacePicture, clicks: 3 },
  30: { begin: filteredShelf, act: shareView, clicks: 5 },
  31: { begin: stock, act: renameField, clicks: 3 },
}
