import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import JSZip from 'jszip'
import { expect, expectAccessible, test } from './fixtures'

/** An archive of one entity with some records, and one data file that fails. */
async function archive(name: string, version: string, bad = false, size = 10): Promise<Buffer> {
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  put('engineplugin.json', { id: `test.${name}`, name, version })
  put('EngineSchemas/__manifest__.json', { target: 'EngineSchemas' })
  put(`EngineSchemas/${name}.json`, {
    name,
    properties: [{ name: 'size', type: 'integer', min: 0, required: true }],
  })
  put('EngineEntities/__manifest__.json', { target: 'EngineEntities' })
  put(`EngineEntities/${name}.json`, { name, insertDuplicate: 'Upsert' })
  put(`${name}/__manifest__.json`, { target: name })
  put(`${name}/data.json`, [
    { id: 1, size },
    { id: 2, size: 20 },
  ])
  if (bad) put(`${name}/bad.json`, [{ id: 3, size: -1 }])
  return zip.generateAsync({ type: 'nodebuffer' })
}

const zipFile = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/zip', buffer })

test('an archive and a file of records are pasted, and cells of a sheet are not taken for a file', async ({
  admin,
}) => {
  await admin.goto('/plugins')
  await expect(admin.getByRole('button', { name: 'Install plugin' })).toBeVisible()
  await pasteFile(admin, 'clipped.zip', await archive('Clipped', '1.0.0'))
  await expect(admin.getByText('Ready to install')).toBeVisible()
  await admin.getByRole('button', { name: 'Install', exact: true }).click()
  await expect(admin.getByText(/3 files written/)).toBeVisible()
  await admin.goto('/entities/Clipped')
  await expect(admin.getByText('1–2 of 2')).toBeVisible()
  const sheet = Buffer.from('id,size\n3,30\n')
  await pasteFile(admin, 'cells.png', sheet, { 'text/html': '<table></table>' })
  await expect(admin.getByRole('dialog')).toHaveCount(0)
  await pasteFile(admin, 'rows.csv', sheet)
  await expect(admin.getByRole('dialog').getByText('rows.csv').first()).toBeVisible()
})

/** As from the clipboard; `texts` by their types beside it. */
const pasteFile = (page: Page, name: string, content: Buffer, texts: Record<string, string> = {}) =>
  page.evaluate(
    ([file, data, beside]) => {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File([bytes], file))
      for (const [type, text] of Object.entries(beside)) clipboardData.setData(type, text)
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.body.dispatchEvent(event)
    },
    [name, content.toString('base64'), texts] as const,
  )

test('an archive is planned, installed and read about', async ({ admin, api }) => {
  await admin.goto('/plugins')
  const file = zipFile('gauges.zip', await archive('Gauge', '1.0.0', true))
  await admin.getByLabel('Plugin archives').setInputFiles(file)
  await expect(admin.getByText('Ready to install')).toBeVisible()
  await expect(admin.getByText('1 of 4 files will be refused')).toBeVisible()
  await expect(admin.getByRole('cell', { name: 'record 1 /size' })).toBeVisible()
  await expectAccessible(admin)
  expect((await api.get('/api/plugins/test.Gauge')).status()).toBe(404)

  await admin.getByRole('button', { name: 'Install 3 of 4 files' }).click()
  await expect(admin.getByText('Partially installed').first()).toBeVisible()
  await expect(admin.getByText('3 files written, 1 failed')).toBeVisible()
  const search = await api.post('/api/entities/Gauge/search', { data: {} })
  expect((await search.json()).pagination.total).toBe(2)

  await admin.getByRole('link', { name: 'Open', exact: true }).click()
  await expect(admin).toHaveURL(/\/plugins\/history\/\d+$/)
  await expect(admin.getByRole('heading', { name: 'Gauge', level: 1 })).toBeVisible()
  await expect(admin.getByRole('cell', { name: 'record 1 /size' })).toBeVisible()
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Download log' }).click()
  const download = admin.waitForEvent('download')
  await admin.getByRole('menuitem', { name: 'As CSV' }).click()
  const text = readFileSync(await (await download).path(), 'utf8')
  expect(text.split('\r\n')).toHaveLength(5)
  expect(text).toContain('Gauge/bad.json')

  await admin.getByRole('link', { name: 'Gauge', exact: true }).click()
  await admin.getByRole('tab', { name: /Entities/ }).click()
  await expect(admin.getByRole('link', { name: 'Gauge', exact: true })).toBeVisible()
})

test('several archives dropped on the page queue up; a downgrade is called out', async ({
  admin,
  api,
}) => {
  const install = async (buffer: Buffer) =>
    api.post('/api/plugins/install/zip', { multipart: { file: zipFile('dial.zip', buffer) } })
  expect((await install(await archive('Dial', '2.0.0'))).status()).toBe(200)
  await admin.goto('/plugins')
  const files = [
    { name: 'dial-1.zip', base64: (await archive('Dial', '1.0.0')).toString('base64') },
    { name: 'no.zip', base64: Buffer.from('no archive').toString('base64') },
  ]
  const transfer = await admin.evaluateHandle((input) => {
    const data = new DataTransfer()
    for (const { name, base64 } of input) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      data.items.add(new File([bytes], name, { type: 'application/zip' }))
    }
    return data
  }, files)
  await admin.dispatchEvent('main', 'drop', { dataTransfer: transfer })
  await expect(admin.getByText('Downgrade from 2.0.0 to 1.0.0')).toBeVisible()
  await expect(admin.getByText('Not installable')).toBeVisible()
  const kept = await api.get('/api/plugins/test.Dial')
  expect((await kept.json()).data[0].version).toBe('2.0.0')
})

test('the history is filtered by status and kept in the address', async ({ admin }) => {
  await admin.goto('/plugins/history')
  const table = admin.getByRole('table', { name: 'Installs' })
  await expect(table.getByRole('row').nth(1)).toBeVisible()
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Filter' }).click()
  await admin.getByRole('option', { name: 'Status' }).click()
  await admin.getByRole('combobox', { name: 'Value' }).click()
  await admin.getByRole('option', { name: 'PARTIAL' }).click()
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Apply' }).click()
  await expect(admin.getByRole('listitem').filter({ hasText: 'Status is PARTIAL' })).toBeVisible()
  await expect(admin).toHaveURL(/filter=/)
  await admin.reload()
  await expect(admin.getByText('Status is PARTIAL')).toBeVisible()
  await expect(table.getByText('Installed', { exact: true })).toHaveCount(0)
})

test('a plan shows what happens to each record, and is refused once a record has changed', async ({
  admin,
  api,
}) => {
  const install = async (buffer: Buffer) =>
    api.post('/api/plugins/install/zip', { multipart: { file: zipFile('meter.zip', buffer) } })
  expect((await install(await archive('Meter', '1.0.0'))).status()).toBe(200)
  const edit = (size: number) => api.patch('/api/entities/Meter/2', { data: { size } })
  await edit(21)
  await admin.goto('/plugins')
  const next = zipFile('meter.zip', await archive('Meter', '1.1.0', false, 30))
  await admin.getByLabel('Plugin archives').setInputFiles(next)
  await admin.getByText('Meter/data.json').click()
  const records = admin.getByRole('region', { name: 'Records of Meter/data.json' })
  await expect(records.getByRole('listitem').first()).toContainText(/Changed.*1.*Size.*10.*30/)
  await expect(records.getByText('Same')).toBeVisible()
  await expectAccessible(admin)

  await edit(22)
  await admin.getByRole('button', { name: 'Install', exact: true }).click()
  await expect(
    admin.getByText(/The plan no longer holds: the records of "Meter" changed/),
  ).toBeVisible()
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Make a new plan' }).click()
  await admin.getByRole('button', { name: 'Install', exact: true }).click()
  await expect(admin.getByText('3 files written, 0 failed')).toBeVisible()
  const found = await (await api.get('/api/entities/Meter/1')).json()
  expect(found.data[0]).toMatchObject({ size: 30 })
})

test('an archive is compared with what is installed, and its plan closed without installing', async ({
  admin,
  api,
}) => {
  const before = await (await api.get('/api/plugins?size=1000')).json()
  await admin.goto('/plugins')
  await admin.getByLabel('Plugin archives').setInputFiles('public/samples/broken-example.zip')
  await expect(admin.getByText('Nothing has been written yet.')).toBeVisible()
  await admin.getByRole('button', { name: 'Close without installing' }).click()
  await expect(admin.getByText('broken-example.zip was not installed')).toBeVisible()
  await expect(admin.getByText('Nothing has been written yet.')).toHaveCount(0)
  const after = await (await api.get('/api/plugins?size=1000')).json()
  expect(after.pagination.total).toBe(before.pagination.total)
})
