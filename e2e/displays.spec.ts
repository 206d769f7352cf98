import type { APIRequestContext } from '@playwright/test'
import JSZip from 'jszip'
import { makeImage } from '../lib/testing/images'
import { expect, expectAccessible, test } from './fixtures'
import { BASE_URL } from './server-settings'

/** Talks on days of March 2026, 14 of them on the 10th, with an image and a place each. */
async function installTalks(api: APIRequestContext, name: string): Promise<void> {
  const buffer = await makeImage('png', { width: 320, height: 240 })
  const image = { name: 'hall.png', mimeType: 'image/png', buffer }
  const uploaded = await api.post('/api/images/upload', {
    multipart: { file: image, namespace: 'talks', assetId: name },
  })
  const { secureUri } = [(await uploaded.json()).data].flat()[0]
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  put('engineplugin.json', { id: `test.${name}`, name, version: '1.0.0' })
  put('EngineSchemas/__manifest__.json', { target: 'EngineSchemas' })
  put(`EngineSchemas/${name}.json`, {
    name,
    properties: [
      { name: 'title', type: 'string', required: true, maxLength: 60 },
      { name: 'day', type: 'date' },
      { name: 'photo', type: 'string' },
      { name: 'seats', type: 'integer' },
      { name: 'lat', type: 'float' },
      { name: 'lon', type: 'float' },
    ],
  })
  put('EngineEntities/__manifest__.json', { target: 'EngineEntities' })
  put(`EngineEntities/${name}.json`, { name })
  put(`${name}/__manifest__.json`, { target: name })
  const records = Array.from({ length: 20 }, (_, i) => ({
    title: `Talk ${String(i).padStart(2, '0')}`,
    day: i < 14 ? '2026-03-10' : `2026-0${i % 2 ? 3 : 4}-${i}`,
    photo: i % 5 === 4 ? null : secureUri,
    seats: 10 * i,
    lat: i === 19 ? null : 48 + i / 3,
    lon: 9 + ((i * 7) % 12),
  }))
  put(`${name}/data.json`, records)
  const archive = await zip.generateAsync({ type: 'nodebuffer' })
  const file = { name: `${name}.zip`, mimeType: 'application/zip', buffer: archive }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect((await response.json()).data.failedCount).toBe(0)
}

test('records are cards with images, worked by keyboard and kept as a view', async ({
  admin,
  api,
}) => {
  await installTalks(api, 'Shown')
  await admin.goto('/entities/Shown?sort=title:asc')
  await admin.getByRole('button', { name: 'Show as: Table' }).click()
  await admin.getByRole('menuitemradio', { name: 'Cards' }).click()
  await expect(admin).toHaveURL(/display=cards/)
  const cards = admin.getByRole('listbox', { name: 'Records of Shown' }).getByRole('option')
  await expect(cards).toHaveCount(20)
  await expect
    .poll(() =>
      cards
        .first()
        .locator('img')
        .evaluate((img: HTMLImageElement) => img.naturalWidth),
    )
    .toBeGreaterThan(0)
  await cards.first().focus()
  await admin.keyboard.press('ArrowRight')
  await admin.keyboard.press('x')
  await admin.keyboard.press('Shift+ArrowRight')
  await expect(admin.getByText('2 selected')).toBeVisible()
  await expectAccessible(admin)
  await admin.keyboard.press('Escape')
  await admin.keyboard.press('Enter')
  await expect(admin.getByRole('dialog', { name: 'Talk 02' })).toBeVisible()
  await admin.keyboard.press('Escape')

  await admin.getByRole('button', { name: 'Views' }).click()
  await admin.getByRole('menuitem', { name: 'Save as a new view' }).click()
  await admin.getByRole('textbox', { name: 'Name' }).fill('Gallery')
  await admin.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByRole('button', { name: 'Gallery' })).toBeVisible()
  const views = await (await api.get('/api/views?entity=Shown')).json()
  expect(views.data).toMatchObject([{ name: 'Gallery' }])
  expect(views.data[0].params).toContain('display=cards')
})

test('a calendar asks for the month it shows and is worked by keyboard', async ({ admin, api }) => {
  await installTalks(api, 'Dated')
  await admin.goto('/entities/Dated?display=calendar&month=2026-03')
  const tenth = admin.getByRole('gridcell', { name: 'Tuesday, March 10, 2026, 14 records' })
  await expect(tenth.getByText('and 12 more')).toBeVisible()
  await expectAccessible(admin)
  await tenth.getByText('and 12 more').click()
  const day = admin.getByRole('dialog', { name: 'Tuesday, March 10, 2026' })
  await expect(day.getByRole('listitem')).toHaveCount(14)
  await day.getByRole('checkbox', { name: 'Select Talk 03' }).check()
  await expectAccessible(admin)
  await admin.keyboard.press('Escape')
  await expect(admin.getByText('1 selected')).toBeVisible()
  await admin.getByRole('button', { name: 'Clear the selection' }).click()

  const asked = admin.waitForRequest((request) => request.url().endsWith('/Dated/search'))
  await tenth.focus()
  await admin.keyboard.press('PageDown')
  expect((await asked).postDataJSON().query).toEqual([
    { field: 'day', operator: 'gte', value: '2026-03-30' },
    { field: 'day', operator: 'lt', value: '2026-05-04' },
  ])
  await expect(admin).toHaveURL(/month=2026-04/)
  await expect(admin.getByRole('gridcell', { name: /April 10/ })).toBeFocused()
  await admin.keyboard.press('ArrowDown')
  await admin.keyboard.press('ArrowLeft')
  await expect(admin.getByRole('gridcell', { name: /April 16.* 1 record$/ })).toBeFocused()
  await admin.keyboard.press('Enter')
  await admin.getByRole('dialog').getByRole('button', { name: 'Talk 16' }).click()
  await expect(admin.getByRole('dialog', { name: 'Talk 16' })).toBeVisible()
  await expect(admin).toHaveURL(/record=/)
})

test('a map shows places without asking anybody else, and opens them', async ({ admin, api }) => {
  await installTalks(api, 'Placed')
  const elsewhere: string[] = []
  admin.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== BASE_URL) elsewhere.push(request.url())
  })
  await admin.goto('/entities/Placed?display=map&sort=title:asc')
  await expect(admin.getByText('19 records')).toBeVisible()
  await expect(admin.locator('[data-map] canvas')).toBeVisible()
  expect((await admin.locator('[data-map]').boundingBox())?.height).toBeGreaterThan(300)
  await expect(admin.getByRole('button', { name: 'Zoom in' })).toBeVisible()
  await expectAccessible(admin)
  const places = admin.getByRole('listbox', { name: 'Records of Placed' }).getByRole('option')
  await expect(places).toHaveCount(19)
  await places.first().focus()
  await admin.keyboard.press('Space')
  await expect(admin.getByText('1 selected')).toBeVisible()
  await admin.keyboard.press('Escape')
  await admin.keyboard.press('ArrowDown')
  await admin.keyboard.press('Enter')
  const panel = admin.getByRole('dialog', { name: 'Talk 01' })
  await expect(panel.locator('[data-map] canvas')).toBeVisible()
  await expect(panel.getByRole('link', { name: '48.33333° N, 16° E' })).toBeVisible()
  await expectAccessible(admin)
  await admin.goto('/entities/Placed?record=20')
  await expect(admin.getByRole('dialog', { name: 'Talk 19' })).toContainText('Seats')
  await expect(admin.locator('[data-map]')).toHaveCount(0)
  expect(elsewhere).toEqual([])
})
