import type { APIRequestContext, Page } from '@playwright/test'
import JSZip from 'jszip'
import { totalOf } from './books'
import { expect, expectAccessible, test } from './fixtures'

const WIDTHS = [390, 768, 1440]

type Version = { tiers: string[]; records?: object[] }

/** A plugin with one entity whose records have a tier. */
async function archive(name: string, { tiers, records }: Version): Promise<Buffer> {
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  put('engineplugin.json', { id: `test.${name}`, name: `The ${name}`, version: '1.0.0' })
  put('EngineSchemas/__manifest__.json', { target: 'EngineSchemas' })
  put(`EngineSchemas/${name}.json`, {
    name,
    properties: [{ name: 'tier', type: 'string', enum: tiers }],
  })
  put('EngineEntities/__manifest__.json', { target: 'EngineEntities' })
  put(`EngineEntities/${name}.json`, { name, insertDuplicate: 'Upsert' })
  if (records) {
    put(`${name}/__manifest__.json`, { target: name })
    put(`${name}/data.json`, records)
  }
  return zip.generateAsync({ type: 'nodebuffer' })
}

const accounts = (count: number, tier: (id: number) => string) =>
  Array.from({ length: count }, (_, id) => ({ id: id + 1, tier: tier(id) }))

const zipFile = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/zip', buffer })

async function install(api: APIRequestContext, name: string, version: Version) {
  const file = zipFile(`${name}.zip`, await archive(name, version))
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect((await response.json()).data.failedCount).toBe(0)
}

/** Pictures to be looked at, at the widths of phones, tablets and desktops. */
async function pictures(page: Page, name: string) {
  for (const width of process.env.PICTURES ? WIDTHS : []) {
    await page.setViewportSize({ width, height: 900 })
    await page.screenshot({ path: `${process.env.PICTURES}/${name}-${width}.png` })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('a refused version leads to exactly the stored records that forbid it', async ({
  admin,
  api,
}) => {
  const tier = (id: number) => (id < 167 ? 'enterprise' : 'free')
  await install(api, 'Client', { tiers: ['free', 'enterprise'], records: accounts(300, tier) })
  await admin.goto('/plugins')
  const next = zipFile('client-2.zip', await archive('Client', { tiers: ['free', 'pro'] }))
  await admin.getByLabel('Plugin archives').setInputFiles(next)
  await expect(admin.getByText('167 stored records have tier = enterprise')).toBeVisible()
  await expect(admin.getByText('(allowed: free, pro)')).toBeVisible()
  await expect(admin.getByText('and 157 more')).toBeVisible()
  const refused = admin.getByRole('listitem').filter({ hasText: 'EngineSchemas/Client.json' })
  await expect(refused.first().locator('summary').first()).toContainText('167 stored records')
  await expect(admin.getByText('record 0')).toHaveCount(0)
  await expectAccessible(admin)
  await pictures(admin, 'stored')

  await admin.reload()
  await expect(admin.getByText('167 stored records have tier = enterprise')).toBeVisible()
  await admin.getByRole('link', { name: 'Show these 167 in Client' }).click()
  await expect(admin).toHaveURL(/\/entities\/Client\?filter=/)
  await expect(admin.getByText('of 167', { exact: false })).toBeVisible()
  const filter = JSON.parse(new URL(admin.url()).searchParams.get('filter') ?? '')
  expect(await totalOf(api, 'Client', filter)).toBe(167)
})

test('many wrong records of a file are one line with the true number', async ({ admin, api }) => {
  await admin.goto('/plugins')
  const records = accounts(10_000, () => 'gold')
  const file = zipFile('lead.zip', await archive('Lead', { tiers: ['free'], records }))
  await admin.getByLabel('Plugin archives').setInputFiles(file)
  await expect(admin.getByText('10,000 records have tier = gold')).toBeVisible({ timeout: 60_000 })
  await expect(admin.getByText('and 9,990 more')).toBeVisible()
  await admin.getByRole('button', { name: /^Install 2 of 3/ }).click()
  await expect(admin.getByText('2 files written, 1 failed')).toBeVisible({ timeout: 60_000 })
  await expect(admin.getByText('10,000 records have tier = gold')).toBeVisible()
  const row = admin.getByRole('listitem').filter({ hasText: 'The Lead' }).last()
  await expect(row.getByText('Partially installed')).toBeVisible()
  await pictures(admin, 'partial')
  expect(await totalOf(api, 'Lead')).toBe(0)
})

test('what is no archive is refused before it is sent, and a plan outlives a reload', async ({
  admin,
  api,
}) => {
  await admin.goto('/plugins')
  const sent: string[] = []
  admin.on('request', (request) => {
    if (request.url().includes('/api/plugins/install/zip')) sent.push(request.url())
  })
  const input = admin.getByLabel('Plugin archives')
  await input.setInputFiles(zipFile('notes.zip', Buffer.from('no archive at all')))
  await expect(admin.getByText('This is not a ZIP archive.')).toBeVisible()
  expect(sent).toEqual([])
  const records = accounts(3, () => 'free')
  await input.setInputFiles(
    zipFile('spare.zip', await archive('Spare', { tiers: ['free'], records })),
  )
  await expect(admin.getByText('Ready to install')).toBeVisible()
  await admin.reload()
  await expect(admin.getByText('Ready to install')).toBeVisible()
  expect(sent).toHaveLength(1)
  await admin.getByRole('button', { name: 'Install', exact: true }).click()
  await expect(admin.getByText('3 files written, 0 failed')).toBeVisible({ timeout: 30_000 })
  expect(await totalOf(api, 'Spare')).toBe(3)
  await admin.reload()
  await expect(admin.getByRole('heading', { name: 'Plugins', level: 1 })).toBeVisible()
  await expect(admin.getByText('Ready to install')).toHaveCount(0)
})

test('choices about conflicts outlive a reload, and the next plan has them', async ({
  admin,
  api,
}) => {
  const tiers = ['free', 'pro', 'gold']
  await install(api, 'Member', { tiers, records: accounts(3, () => 'free') })
  for (const id of [1, 2]) await api.patch(`/api/entities/Member/${id}`, { data: { tier: 'gold' } })
  await admin.goto('/plugins')
  const next = await archive('Member', { tiers, records: accounts(3, () => 'pro') })
  await admin.getByLabel('Plugin archives').setInputFiles(zipFile('member-2.zip', next))
  const conflicts = admin.getByRole('region', { name: 'Conflicts' })
  await expect(conflicts).toContainText('2 conflicts: 2 kept')
  const second = conflicts.getByRole('listitem').nth(1)
  await second.getByRole('radio', { name: 'Take the plugin’s' }).click()
  await expect(conflicts).toContainText('1 kept, 1 taken')
  await admin.reload()
  await expect(conflicts).toContainText('1 kept, 1 taken')
  await expect(second.getByRole('radio', { name: 'Take the plugin’s' })).toBeChecked()
  await admin.getByRole('button', { name: 'Update the plan' }).click()
  await admin.getByRole('button', { name: 'Install', exact: true }).click()
  await expect(admin.getByText('3 files written, 0 failed')).toBeVisible({ timeout: 30_000 })
  const has = (tier: string) => [{ field: 'tier', operator: 'eq', value: tier }]
  expect(await totalOf(api, 'Member', has('gold'))).toBe(1)
  expect(await totalOf(api, 'Member', has('pro'))).toBe(2)
})

test('a page is reached by its number, and few rows stand in a small frame', async ({
  admin,
  api,
}) => {
  await install(api, 'Guest', { tiers: ['free', 'pro'], records: accounts(1_000, () => 'free') })
  await admin.goto('/entities/Guest')
  const jump = admin.getByLabel('Go to page')
  await jump.fill('17')
  await jump.press('Enter')
  await expect(admin).toHaveURL(/page=17/)
  await expect(admin.getByText('801–850 of 1,000')).toBeVisible()
  await jump.fill('9999')
  await jump.press('Enter')
  await expect(admin).toHaveURL(/page=20/)
  await pictures(admin, 'browser')
  for (const width of [768, 1440]) {
    await admin.setViewportSize({ width, height: 900 })
    const pages = await admin.getByRole('navigation', { name: 'Pages' }).boundingBox()
    expect(pages?.height, `at ${width}`).toBeLessThan(40)
  }
  await admin.setViewportSize({ width: 1440, height: 900 })

  const filter = JSON.stringify([{ field: 'id', operator: 'eq', value: 5 }])
  await admin.goto(`/entities/Guest?filter=${encodeURIComponent(filter)}`)
  await expect(admin.getByText('1–1 of 1')).toBeVisible()
  const table = admin.getByRole('table', { name: 'Records of Guest' })
  const frame = await table.locator('..').boundingBox()
  expect(frame?.height).toBeLessThan(120)
  await pictures(admin, 'one-row')
})

test('a large deletion says which records go, and the log how many went', async ({
  admin,
  api,
}) => {
  await install(api, 'Visit', {
    tiers: ['free', 'pro'],
    records: accounts(500, (id) => (id % 2 ? 'pro' : 'free')),
  })
  const filter = JSON.stringify([{ field: 'tier', operator: 'eq', value: 'pro' }])
  await admin.goto(`/entities/Visit?filter=${encodeURIComponent(filter)}`)
  await expect(admin.getByText('of 250')).toBeVisible()
  await admin
    .getByRole('checkbox', { name: /select all/i })
    .first()
    .click()
  await admin.getByRole('button', { name: /^Select all 250/ }).click()
  await admin.getByRole('button', { name: 'Delete' }).click()
  const dialog = admin.getByRole('alertdialog')
  await expect(dialog.getByRole('list', { name: 'Conditions of the deletion' })).toContainText(
    'pro',
  )
  const confirm = dialog.getByRole('button', { name: 'Delete 250' })
  await expect(confirm).toBeDisabled()
  await dialog.getByRole('textbox').fill('Visit')
  await pictures(admin, 'deletion')
  await confirm.click()
  await expect.poll(() => totalOf(api, 'Visit')).toBe(250)
  await admin.goto('/audit')
  await expect(admin.getByText('Records deleted · 250 records').first()).toBeVisible()
  await pictures(admin, 'audit')
  await admin.goto('/')
  await expect(admin.getByText('· 250 records').first()).toBeVisible()
  await pictures(admin, 'dashboard')
})

test('the request behind a table says how long it takes', async ({ admin, api }) => {
  await install(api, 'Parcel', { tiers: ['free'], records: accounts(3, () => 'free') })
  await admin.goto('/entities/Parcel')
  await admin.getByRole('button', { name: 'More actions' }).click()
  await admin.getByRole('menuitem', { name: 'API' }).click()
  await expect(admin.getByText(/db \d+\.\d ms · total \d+\.\d ms/)).toBeVisible()
  await expectAccessible(admin)
  await pictures(admin, 'timing')
})
