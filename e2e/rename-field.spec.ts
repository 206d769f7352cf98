import type { APIRequestContext } from '@playwright/test'
import JSZip from 'jszip'
import { expect, expectAccessible, test } from './fixtures'

/** An entity with a field that its order, an index and another field name. */
async function installStock(api: APIRequestContext): Promise<string> {
  const name = `Stock${Date.now().toString(36)}`
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  put('engineplugin.json', { id: `local.${name}`, name, version: '1.0.0' })
  put('EngineSchemas/__manifest__.json', { target: 'EngineSchemas' })
  const properties = [
    { name: 'title', type: 'string' },
    { name: 'price', type: 'integer', meta: { indexed: true } },
    { name: 'gross', type: 'integer', meta: { computed: 'price * 2' } },
  ]
  put(`EngineSchemas/${name}.json`, { name, properties })
  put('EngineEntities/__manifest__.json', { target: 'EngineEntities' })
  const pks = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
  put(`EngineEntities/${name}.json`, { name, pks })
  put(`${name}/__manifest__.json`, { target: name })
  put(`${name}/data.json`, [
    { id: 1, title: 'Cup', price: 3 },
    { id: 2, title: 'Dish', price: 7 },
  ])
  const buffer = await zip.generateAsync({ type: 'nodebuffer' })
  const file = { name: `${name}.zip`, mimeType: 'application/zip', buffer }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect((await response.json()).data).toMatchObject({ failedCount: 0 })
  return name
}

test('a field is renamed by clicking: planned first, with its values kept, and rolled back', async ({
  admin,
  api,
}) => {
  const entity = await installStock(api)
  await admin.goto(`/entities/${entity}/definition`)
  await admin.getByRole('button', { name: 'Rename price' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Rename price' })
  await expectAccessible(admin)
  await dialog.getByRole('textbox', { name: 'New name' }).fill('title')
  await dialog.getByRole('button', { name: 'Show the plan' }).click()
  await expect(dialog.getByText(`${entity} has a field "title" already`)).toBeVisible()
  await dialog.getByRole('textbox', { name: 'New name' }).fill('net')
  await dialog.getByRole('textbox', { name: 'Label' }).fill('Net price')
  await dialog.getByRole('button', { name: 'Show the plan' }).click()

  await expect(dialog.getByText(/^Becomes version 1\.1\.0 of/)).toBeVisible()
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(admin.getByText('price was renamed to net')).toBeVisible()
  await expect(admin.getByRole('button', { name: 'Rename net' })).toBeVisible()

  await admin.goto(`/entities/${entity}?sort=net:desc`)
  await expect(admin.getByRole('columnheader', { name: 'Net price' })).toBeVisible()
  await expect(admin.getByRole('row').nth(1)).toContainText('14')
  const read = async () => (await (await api.get(`/api/entities/${entity}/2`)).json()).data[0]
  expect(await read()).toMatchObject({ net: 7, gross: 14 })

  const { data } = await (await api.get('/api/plugins/history?size=1')).json()
  await admin.goto(`/plugins/history/${data[0].id}`)
  await admin.getByRole('button', { name: 'Roll back' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Roll back' }).click()
  await expect.poll(read).toMatchObject({ price: 7, gross: 14 })
})
