import { readFileSync } from 'node:fs'
import { makeImage } from '../lib/testing/images'
import { installBooks } from './books'
import { dropFile } from './drop-file'
import { expect } from './fixtures'
import type { Job, Tools } from './job'

/** Jobs on files that are given to the server, by their number in `jobs.md`. */
const empty = (name: string) => async (tools: Tools) => {
  await installBooks(tools.api, name)
  await tools.api.delete(`/api/entities/${name}/batch`, { data: { entity: name } })
  return `/entities/${name}`
}

const dialogOf = ({ page }: Tools, entity: string) =>
  page.getByRole('dialog', { name: `Import into ${entity}` })

async function press(tools: Tools, entity: string, name: string) {
  const dialog = dialogOf(tools, entity)
  await dialog.getByRole('button', { name, exact: true }).click()
  await expect(dialog.getByText('The file is imported.')).toBeVisible()
}

const lines = Array.from({ length: 1_000 }, (_, n) => `Book ${n},poem,${n + 1}\n`).join('')

async function importCsv(tools: Tools) {
  await dropFile(tools.page, 'books.csv', `Title,Kind,Pages\n${lines}`)
  await press(tools, 'Imported', 'Import 1,000 records')
}

async function updateByFile(tools: Tools) {
  await dropFile(tools.page, 'books.csv', 'id,pages\n1,11\n2,12\n3,13\n')
  await press(tools, 'Updated', 'Update 3 records')
}

async function correctRefused(tools: Tools) {
  await dropFile(tools.page, 'books.csv', 'title,pages\nOne,1\nTwo,many\n')
  await press(tools, 'Corrected', 'Import 1 record')
  const dialog = dialogOf(tools, 'Corrected')
  const waiting = tools.page.waitForEvent('download')
  await dialog.getByRole('link', { name: '1 refused row' }).click()
  const text = readFileSync(await (await waiting).path(), 'utf8').replace('many', '2')
  await dropFile(tools.page, 'books-refused.csv', text)
  await press(tools, 'Corrected', 'Import 1 record')
}

async function newEntity(tools: Tools) {
  const { page } = tools
  await dropFile(page, 'price list.csv', 'sku,name,price\na1,Chair,12.50\nb2,Table,99\n')
  await page.getByRole('button', { name: 'Create and import' }).click()
  await expect(dialogOf(tools, 'PriceList').getByText('The file is imported.')).toBeVisible()
}

async function installPlugin({ page }: Tools) {
  await page.getByLabel('Plugin archives').setInputFiles('public/samples/world-airports.zip')
  await expect(page.getByText('Ready to install')).toBeVisible()
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await expect(page.getByText(/\d files written/)).toBeVisible()
}

async function uploadImage({ page }: Tools) {
  const buffer = await makeImage('png', { width: 64, height: 48 })
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload images' }).first().click()
  await (await choosing).setFiles([{ name: 'boot.png', mimeType: 'image/png', buffer }])
  const panel = page.getByRole('dialog', { name: 'Upload images' })
  await panel.getByRole('button', { name: 'Upload 1 image' }).click()
  await expect(panel.getByRole('button', { name: 'Done' })).toBeVisible()
}

const full =
  (name: string) =>
  async ({ api }: Tools) => {
    await installBooks(api, name)
    return `/entities/${name}`
  }

export const JOBS_OF_FILES: Record<number, Job> = {
  11: { begin: empty('Imported'), act: importCsv, clicks: 1 },
  12: { begin: full('Updated'), act: updateByFile, clicks: 2 },
  13: { begin: empty('Corrected'), act: correctRefused, clicks: 3 },
  14: { begin: async () => '/entities', act: newEntity, clicks: 2 },
  15: { begin: async () => '/plugins', act: installPlugin, clicks: 2 },
  16: { begin: async () => '/images', act: uploadImage, clicks: 3 },
}
