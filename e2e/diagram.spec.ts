import { readFile } from 'node:fs/promises'
import type { APIRequestContext } from '@playwright/test'
import JSZip from 'jszip'
import { expect, expectAccessible, test } from './fixtures'

const reference = (entity: string) => ({ reference: { entity, field: 'code' } })

/** Ships, which belong to ports, which are in regions. */
async function installPorts(api: APIRequestContext): Promise<void> {
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  put('engineplugin.json', { id: 'test.drawn', name: 'Drawn ports', version: '1.0.0' })
  for (const target of ['EngineSchemas', 'EngineEntities'])
    put(`${target}/__manifest__.json`, { target })
  const entity = (name: string, properties: object[] = []) => {
    const code = { name: 'code', type: 'string' }
    put(`EngineSchemas/${name}.json`, { name, properties: [code, ...properties] })
    const pks = [{ key: 'code', strategy: 'Fixed', type: 'string' }]
    put(`EngineEntities/${name}.json`, { name, pks })
  }
  entity('DrawnRegion')
  entity('DrawnPort', [{ name: 'region', type: 'string', ...reference('DrawnRegion') }])
  entity('DrawnShip', [
    { name: 'home', type: 'string', ...reference('DrawnPort') },
    { name: 'weight', type: 'integer' },
  ])
  const buffer = await zip.generateAsync({ type: 'nodebuffer' })
  const file = { name: 'drawn.zip', mimeType: 'application/zip', buffer }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect((await response.json()).data.failedCount).toBe(0)
}

test('entities are drawn with their references, found, opened by the keyboard, and saved', async ({
  admin,
  api,
}) => {
  await installPorts(api)
  await admin.goto('/entities')
  await admin.getByRole('radio', { name: 'Diagram' }).click()
  await expect(admin).toHaveURL(/view=diagram/)
  await admin.goto('/entities?view=diagram&plugin=test.drawn')
  const diagram = admin.getByRole('region', { name: 'Diagram' })
  const ship = diagram.getByRole('link', { name: 'DrawnShip: refers by home to DrawnPort' })
  await expect(ship).toBeVisible()
  await expect(diagram.getByRole('link')).toHaveCount(3)
  await expectAccessible(admin)

  await admin.getByRole('searchbox', { name: 'Search entities' }).fill('region')
  const list = admin.getByRole('list', { name: 'Entities' })
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await list.getByRole('button', { name: /DrawnRegion/ }).click()
  await expect(diagram.getByRole('link', { name: /^DrawnRegion/ })).toBeFocused()
  await admin.getByRole('searchbox', { name: 'Search entities' }).fill('')

  const zoom = admin.getByRole('status', { name: 'Zoom' })
  const before = await zoom.textContent()
  await diagram.press('-')
  await expect(zoom).not.toHaveText(before ?? '')
  await diagram.press('0')
  await expect(zoom).toHaveText(before ?? '')

  const download = admin.waitForEvent('download')
  await admin.getByRole('button', { name: 'Save SVG' }).click()
  const svg = await readFile(await (await download).path(), 'utf8')
  expect(svg).toContain('DrawnShip')

  await admin.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(admin)
  await ship.focus()
  await admin.keyboard.press('Enter')
  await expect(admin).toHaveURL(/\/entities\/DrawnShip\/definition/)
})
