import type { APIRequestContext, Page } from '@playwright/test'
import JSZip from 'jszip'
import { expect, expectAccessible, test } from './fixtures'
import { ADMIN } from './server-settings'
import { signedIn, statusOf } from './signed-in'

const PROPERTIES = [
  { name: 'title', type: 'string', required: true },
  { name: 'state', type: 'string', enum: ['new', 'sold'] },
  { name: 'unitPrice', type: 'decimal' },
  { name: 'boughtAt', type: 'datetime' },
  { name: 'tags', type: 'array' },
]

/** `name` with a record `1`. */
async function installBoots(api: APIRequestContext, name: string, history = true): Promise<void> {
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  put('engineplugin.json', { id: `test.${name}`, name: `Shop of ${name}`, version: '1.0.0' })
  for (const target of ['EngineSchemas', 'EngineEntities', name])
    put(`${target}/__manifest__.json`, { target })
  put(`EngineSchemas/${name}.json`, { name, properties: PROPERTIES })
  put(`EngineEntities/${name}.json`, { name, history })
  put(`${name}/data.json`, [{ id: 1, title: 'Boot', state: 'new', tags: ['warm', 'red'] }])
  const file = {
    name: 'boots.zip',
    mimeType: 'application/zip',
    buffer: await zip.generateAsync({ type: 'nodebuffer' }),
  }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect((await response.json()).data.failedCount).toBe(0)
}

const stored = async (api: APIRequestContext, name: string) =>
  (await (await api.get(`/api/entities/${name}/1`)).json()).data?.[0]

async function edit(page: Page, title: string): Promise<void> {
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Edit', exact: true }).click()
  await panel.getByRole('textbox', { name: 'title' }).fill(title)
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByText(title).first()).toBeVisible()
}

async function openHistory(page: Page, name: string) {
  await page.goto(`/entities/${name}?record=1`)
  await page.getByRole('tab', { name: 'History' }).click()
  return page.getByRole('list', { name: 'History' })
}

test('a record says who changed what, and becomes as it was; that can be undone', async ({
  admin,
  api,
}) => {
  await installBoots(api, 'Boot')
  const price = '12345678901234567890.10'
  await api.patch('/api/entities/Boot/1', {
    headers: { 'Content-Type': 'application/json' },
    data: `{"unitPrice": ${price}, "state": "sold", "boughtAt": "2024-02-29T12:00:00Z"}`,
  })
  await admin.goto('/entities/Boot?record=1')
  await edit(admin, 'Slipper')
  await admin.getByRole('tab', { name: 'History' }).click()
  const list = admin.getByRole('list', { name: 'History' })
  const entries = list.getByRole('listitem').filter({ has: admin.getByRole('time') })
  await expect(entries).toHaveCount(3)
  await expect(entries.nth(0)).toContainText('Changed')
  await expect(entries.nth(0)).toContainText(ADMIN.email)
  await expect(entries.nth(0).getByRole('deletion')).toContainText('Boot')
  await expect(entries.nth(0).getByRole('insertion')).toContainText('Slipper')
  await expect(entries.nth(1)).toContainText('12,345,678,901,234,567,890.10')
  await expect(entries.nth(2)).toContainText('Created')
  await expect(entries.nth(2).getByRole('link')).toHaveText('by Shop of Boot 1.0.0')
  await expectAccessible(admin)

  await entries.nth(2).getByRole('button', { name: 'Restore' }).click()
  const dialog = admin.getByRole('alertdialog')
  const changes = dialog.getByRole('region', { name: 'What changes' })
  await expect(changes).toContainText('Slipper')
  await expect(changes).toContainText('no value')
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await expect(admin.getByText('The version is restored')).toBeVisible()
  await expect(entries).toHaveCount(4)
  expect(await stored(api, 'Boot')).toMatchObject({ title: 'Boot', state: 'new', unitPrice: null })

  const notice = admin.getByRole('listitem').filter({ hasText: 'The version is restored' })
  await notice.getByRole('button', { name: 'Undo' }).click()
  await expect(admin.getByText('The change is undone')).toBeVisible()
  expect(await (await api.get('/api/entities/Boot/1')).text()).toContain(price)
  expect(await stored(api, 'Boot')).toMatchObject({ title: 'Slipper', state: 'sold' })
})

test('a deleted record comes back from its address', async ({ admin, api }) => {
  await installBoots(api, 'Sandal')
  await api.delete('/api/entities/Sandal/1')
  await admin.goto('/entities/Sandal?record=1')
  await expect(admin.getByText('Record not found')).toBeVisible()
  await admin.getByRole('button', { name: 'Restore the deleted record' }).click()
  const dialog = admin.getByRole('alertdialog')
  await expect(dialog).toContainText('Bring this record back?')
  await dialog.getByRole('button', { name: 'Bring back' }).click()
  await expect(admin.getByText('The record is back')).toBeVisible()
  await expect(admin.getByRole('tab', { name: 'Fields' })).toBeVisible()
  expect(await stored(api, 'Sandal')).toMatchObject({ title: 'Boot', tags: ['warm', 'red'] })
})

test('nothing that others changed meanwhile is overwritten', async ({ admin, api }) => {
  await installBoots(api, 'Clog')
  await api.patch('/api/entities/Clog/1', { data: { title: 'Second' } })
  const list = await openHistory(admin, 'Clog')
  await list.getByRole('button', { name: 'Restore' }).first().click()
  const dialog = admin.getByRole('alertdialog')
  await expect(dialog.getByRole('deletion')).toContainText('Second')
  await api.patch('/api/entities/Clog/1', { data: { title: 'Third', state: 'sold' } })
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The record has changed meanwhile')
  await expect(dialog.getByRole('deletion').first()).toContainText('Third')
  expect((await stored(api, 'Clog')).title).toBe('Third')
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await expect(admin.getByText('The version is restored')).toBeVisible()
  expect(await stored(api, 'Clog')).toMatchObject({ title: 'Boot', state: 'new' })
})

test('who may only read sees the history and restores nothing', async ({ browser, api }) => {
  await installBoots(api, 'Mule')
  await api.patch('/api/entities/Mule/1', { data: { title: 'Second' } })
  const { page } = await signedIn(browser, api, ['VIEWER'])
  const list = await openHistory(page, 'Mule')
  await expect(list.getByRole('insertion').first()).toContainText('Second')
  await expect(page.getByRole('button', { name: 'Restore' })).toBeHidden()
  await page.context().close()
})

test('without a history the last change is kept, and the record says how to keep more and what else is known', async ({
  admin,
  api,
}) => {
  await installBoots(api, 'Pump', false)
  await admin.goto('/entities/Pump?record=1')
  await admin.getByRole('tab', { name: 'History' }).click()
  await expect(admin.getByText('History is off for Pump')).toBeVisible()
  await expect(admin.getByText('Nothing is known of this record.')).toBeVisible()
  await expectAccessible(admin)
  await api.patch('/api/entities/Pump/batch?undo=7d', {
    data: { entity: 'Pump', set: { state: 'sold' } },
  })
  await admin.reload()
  await admin.getByRole('tab', { name: 'History' }).click()
  const traces = admin.getByRole('list', { name: 'Traces' })
  await expect(traces).toContainText('Edited together with others; can be undone')
  expect(await statusOf(admin, 'PATCH', '/api/entities/Pump/1', { title: 'Second' })).toBe(200)
  await admin.reload()
  await edit(admin, 'Third')
  await admin.getByRole('tab', { name: 'History' }).click()
  const list = admin.getByRole('list', { name: 'History' })
  await expect(list.getByRole('deletion')).toHaveText(/Second/)
  await expect(list.getByRole('insertion')).toHaveText(/Third/)
  await list.getByRole('button', { name: 'Restore the earlier state' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click()
  await expect(admin.getByText('The version is restored')).toBeVisible()
  expect((await stored(api, 'Pump')).title).toBe('Second')
  await expect(traces).toContainText(/changed/i)
})

test('history is turned on from a record, and off from the definition, each planned first', async ({
  admin,
  api,
}) => {
  await installBoots(api, 'Loafer', false)
  const apply = async (action: string, version: string) => {
    await admin.getByRole('button', { name: action }).click()
    const dialog = admin.getByRole('dialog', { name: action })
    await expect(dialog.getByText(`Becomes version ${version} of`)).toBeVisible()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await expect(dialog).toBeHidden()
  }
  await admin.goto('/entities/Loafer?record=1')
  await admin.getByRole('tab', { name: 'History' }).click()
  await apply('Keep history', '1.0.0+local.1')
  await api.patch('/api/entities/Loafer/1', { data: { title: 'Second' } })
  const list = await openHistory(admin, 'Loafer')
  await expect(list.getByRole('insertion')).toContainText('Second')
  await admin.goto('/entities/Loafer/definition')
  await expect(admin.getByText('Every change')).toBeVisible()
  await expectAccessible(admin)
  await apply('Stop keeping history', '1.0.0+local.2')
  await expect(admin.getByRole('button', { name: 'Keep history' })).toBeVisible()
})

test('the history fits a phone, in the dark too', async ({ admin, api }) => {
  await installBoots(api, 'Crocs')
  for (let n = 0; n < 12; n++)
    await api.patch('/api/entities/Crocs/1', {
      data: { title: `${n} ${'long title '.repeat(5)}`.trim(), tags: [`${'x'.repeat(60)}${n}`] },
    })
  await admin.setViewportSize({ width: 390, height: 844 })
  await admin.emulateMedia({ colorScheme: 'dark' })
  const list = await openHistory(admin, 'Crocs')
  await expect(list).toBeVisible()
  const width = await admin.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)
  const overflow = await list.evaluate((element) => element.scrollWidth - element.clientWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Next', exact: true }).click()
  await expect(list).toContainText('Created')
})
