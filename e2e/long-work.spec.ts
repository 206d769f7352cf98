import type { APIRequestContext, Page, Route } from '@playwright/test'
import JSZip from 'jszip'
import { makeImage } from '../lib/testing/images'
import { expect, expectAccessible, test } from './fixtures'
import { holdTable } from './hold-table'

// Snapshots would fetch the blob: previews, which our pages' policy forbids scripts to do.
test.use({ trace: { mode: 'retain-on-failure', snapshots: false } })

const FILES = 60
const RECORDS_A_FILE = 2_000
/** Files of an install that is not over before its table is held. */
const MANY_FILES = 5 * FILES

/** Starts the install of `name`, which takes some seconds, as a program would. Returns its number. */
async function startInstall(api: APIRequestContext, name: string, files = FILES): Promise<number> {
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  put('engineplugin.json', { id: `test.${name}`, name, version: '1.0.0' })
  put('EngineEntities/__manifest__.json', { target: 'EngineEntities' })
  const pks = [{ key: 'code', strategy: 'Fixed', type: 'string' }]
  put(`EngineEntities/${name}.json`, { name, pks })
  put(`${name}/__manifest__.json`, { target: name })
  for (let file = 0; file < files; file++) {
    const records = Array.from({ length: RECORDS_A_FILE }, (_, at) => ({
      code: `${file}-${at}`,
      title: `Record ${at} of file ${file}`,
    }))
    put(`${name}/${String(file).padStart(3, '0')}.json`, records)
  }
  const buffer = await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' })
  const file = { name: `${name}.zip`, mimeType: 'application/zip', buffer }
  const headers = { Prefer: 'respond-async' }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file }, headers })
  expect(response.status()).toBe(202)
  return (await response.json()).data.history
}

const installOf = async (api: APIRequestContext, id: number) =>
  (await (await api.get(`/api/plugins/history/${id}`)).json()).data[0]

/** The embedded database does the install first: what else is asked of it waits, longer on a busy machine. */
const SLOWLY = { timeout: 60_000 }

const chip = (page: Page, name: RegExp) => page.getByRole('banner').getByRole('button', { name })

test('an install that a program started is shown on every page, also after a reload, and cancelled there', async ({
  admin,
  api,
}) => {
  test.setTimeout(240_000)
  await admin.goto('/users')
  const id = await startInstall(api, 'Followed', MANY_FILES)
  await expect.poll(async () => (await installOf(api, id)).recordCount, SLOWLY).toBeGreaterThan(0)
  const release = await holdTable('Followed')
  await expect(chip(admin, /^Running: Installing Followed/)).toBeVisible(SLOWLY)
  await admin.getByRole('link', { name: 'Entities', exact: true }).click()
  await expect(admin).toHaveURL(/\/entities$/, SLOWLY)
  await admin.reload()
  await chip(admin, /^Running: Installing Followed \d+ %/).click(SLOWLY)
  const list = admin.getByRole('dialog', { name: 'Running' })
  await expect(list.getByRole('listitem')).toContainText(`of ${MANY_FILES + 1} files`)
  await expect(list.getByRole('listitem')).toContainText('Started by ')
  await list.getByRole('link', { name: 'Open' }).click()
  await expect(admin).toHaveURL(new RegExp(`/plugins/history/${id}$`), SLOWLY)

  await chip(admin, /^Running: Installing Followed/).click(SLOWLY)
  await admin.getByRole('button', { name: 'Cancel: Installing Followed' }).click()
  await expect(chip(admin, /^Running/)).toBeHidden(SLOWLY)
  await release()
  const cancelled = await installOf(api, id)
  expect(cancelled).toMatchObject({ status: 'PARTIAL', cancelledBy: 'admin@example.com' })
  // What was installed before stays.
  const { data } = await (await api.get('/api/entities/Followed/count')).json()
  expect(data[0].count).toBe(cancelled.recordCount)
  expect(cancelled.recordCount).toBeLessThan(MANY_FILES * RECORDS_A_FILE)
  await admin.goto(`/plugins/history/${id}`)
  await expect(admin.getByText('Cancelled, in part')).toBeVisible()
  await expectAccessible(admin)
})

/** The names of the images of a folder on the server. */
async function imagesOf(api: APIRequestContext, folder: string): Promise<string[]> {
  const response = await api.get(`/api/images?filter=folder:eq:${folder}&sort=name&size=100`)
  return (await response.json()).data.map(({ name }: { name: string }) => name)
}

/** Lets the first upload through and holds the others until `release`. */
async function holdUploads(page: Page) {
  const held: Route[] = []
  let seen = 0
  await page.route('**/api/images/upload', async (route) => {
    seen += 1
    if (seen === 1) await route.continue()
    else held.push(route)
  })
  const release = async () => {
    for (const route of held.splice(0)) await route.continue().catch(() => {})
  }
  return { release }
}

async function uploadThree(page: Page, folder: string): Promise<void> {
  await page.goto('/images')
  const buffer = await makeImage('png', { width: 40, height: 30 })
  const names = ['one.png', 'two.png', 'three.png']
  const files = names.map((name) => ({ name, mimeType: 'image/png', buffer }))
  await page.locator('input[type=file]').first().setInputFiles(files)
  const panel = page.getByRole('dialog', { name: 'Upload images' })
  await panel.getByLabel('Folder').fill(folder)
  await panel.getByRole('button', { name: 'Upload 3 images' }).click()
  await expect(panel.getByText('1 of 3 images uploaded').first()).toBeVisible()
  await panel.getByRole('button', { name: 'Continue in the background' }).click()
}

test('uploads go on while other pages are visited, and leaving the site asks', async ({
  admin,
  api,
}) => {
  const { release } = await holdUploads(admin)
  await uploadThree(admin, 'on-the-way')
  await admin.getByRole('link', { name: 'Users', exact: true }).click()
  await expect(admin).toHaveURL(/\/users$/)
  await chip(admin, /^Running: Uploading 2 images/).click()
  const list = admin.getByRole('dialog', { name: 'Running' })
  await expect(list.getByRole('listitem')).toContainText('0 of 2 images')
  await expectAccessible(admin)
  await admin.keyboard.press('Escape')
  await expect(chip(admin, /^Running/)).toBeFocused()

  const asked = admin.waitForEvent('dialog')
  void admin.evaluate(() => window.location.assign('/mail'))
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await expect(admin).toHaveURL(/\/users$/)

  await release()
  await expect(chip(admin, /^Running/)).toBeHidden()
  expect(await imagesOf(api, 'on-the-way')).toHaveLength(3)
  await admin.goto('/mail')
  await expect(admin.getByRole('heading', { name: 'Mail' })).toBeVisible()
})

test('cancelled uploads keep the images that have arrived', async ({ admin, api }) => {
  const { release } = await holdUploads(admin)
  await uploadThree(admin, 'given-up')
  await admin.getByRole('link', { name: 'Users', exact: true }).click()
  await chip(admin, /^Running: Uploading 2 images/).click()
  await admin.getByRole('button', { name: 'Cancel: Uploading 2 images' }).click()
  await expect(chip(admin, /^Running/)).toBeHidden()
  await release()
  expect(await imagesOf(api, 'given-up')).toHaveLength(1)
})

/** An entity with 120,000 records. */
async function installMany(api: APIRequestContext, name: string): Promise<void> {
  if ((await api.get(`/api/entities/${name}?size=1`)).ok()) return
  const id = await startInstall(api, name)
  await expect
    .poll(async () => (await installOf(api, id)).status, { timeout: 100_000 })
    .toBe('SUCCESS')
}

const exportsOn = async (api: APIRequestContext) =>
  (await (await api.get('/api/exports')).json()).data

test('more than 100,000 records are exported in the background and wait in a list', async ({
  admin,
  api,
}) => {
  test.setTimeout(180_000)
  await installMany(api, 'Steady')
  await admin.goto('/entities/Steady')
  await admin.getByRole('button', { name: 'Export', exact: true }).click()
  await expect(admin.getByText('120,000 records: prepared in the background')).toBeVisible()
  await admin.getByRole('menuitem', { name: 'CSV' }).first().click()
  await expect(admin.getByText('The export of Steady is being prepared')).toBeVisible()
  await expect(admin.getByText('Steady.csv is ready')).toBeVisible({ timeout: 90_000 })
  await expect(admin.getByRole('link', { name: 'Download' })).toBeVisible()

  await admin.getByRole('link', { name: 'Exports', exact: true }).first().click()
  const row = admin.getByRole('row', { name: /^Steady\.csv/ })
  await expect(row).toContainText('Ready')
  await expect(row).toContainText('120,000')
  await expect(row).toContainText('7 days')
  await expectAccessible(admin)
  const saving = admin.waitForEvent('download')
  await row.getByRole('link', { name: 'Download Steady.csv' }).click()
  const saved = await (await saving).createReadStream()
  let lines = 0
  for await (const chunk of saved) lines += String(chunk).split('\n').length - 1
  expect(lines).toBe(120_001)
  const [kept] = await exportsOn(api)
  expect(kept).toMatchObject({ status: 'READY', doneRows: 120_000, createdBy: 'admin@example.com' })

  await row.getByRole('button', { name: 'Delete Steady.csv' }).click()
  const question = admin.getByRole('alertdialog', { name: 'Delete Steady.csv?' })
  await expectAccessible(admin)
  await question.getByRole('button', { name: 'Delete the file' }).click()
  await expect(admin.getByText('No exports')).toBeVisible()
  expect(await exportsOn(api)).toEqual([])
  expect((await api.get(`/api/exports/${kept.id}/file`)).status()).toBe(404)
})

test('an export in the background is cancelled from any page', async ({ admin, api }) => {
  test.setTimeout(180_000)
  await installMany(api, 'Steady')
  await admin.goto('/users')
  // Prepared one after the other: the last of them waits for longer than a slow browser takes to cancel it.
  for (let n = 0; n < 3; n++)
    expect((await api.post('/api/entities/Steady/exports?format=xlsx', { data: {} })).ok()).toBe(
      true,
    )
  const [last] = await exportsOn(api)
  // A page that is looked at again asks for what is running at once, unless it is just asking.
  await expect(async () => {
    await admin.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await expect(chip(admin, /^Running: \d running/)).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await chip(admin, /^Running/).click()
  await admin.getByRole('button', { name: 'Cancel: Exporting Steady' }).last().click()
  await expect(chip(admin, /^Running/)).toBeHidden({ timeout: 90_000 })
  const [cancelled, ...others] = await exportsOn(api)
  expect(cancelled).toMatchObject({ id: last.id, status: 'CANCELLED', bytes: 0 })
  expect((await api.get(`/api/exports/${cancelled.id}/file`)).status()).toBe(409)
  for (const { id } of [cancelled, ...others])
    expect((await api.delete(`/api/exports/${id}`)).status()).toBe(200)
})
