import { readFile } from 'node:fs/promises'
import type { APIRequestContext } from '@playwright/test'
import JSZip from 'jszip'
import { expect, expectAccessible, test } from './fixtures'

const reference = { reference: { entity: 'Cellar', field: 'id' } }

/** A plugin with one entity and its records. */
async function archive(
  id: string,
  name: string,
  entity: string,
  properties: object[],
  data: object[],
) {
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  put('engineplugin.json', { id, name, version: '1.0.0' })
  put('EngineSchemas/__manifest__.json', { target: 'EngineSchemas' })
  put(`EngineSchemas/${entity}.json`, { name: entity, properties })
  put('EngineEntities/__manifest__.json', { target: 'EngineEntities' })
  put(`EngineEntities/${entity}.json`, { name: entity })
  put(`${entity}/__manifest__.json`, { target: entity })
  put(`${entity}/data.json`, data)
  return zip.generateAsync({ type: 'nodebuffer' })
}

async function install(api: APIRequestContext, buffer: Buffer): Promise<void> {
  const file = { name: 'plugin.zip', mimeType: 'application/zip', buffer }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect((await response.json()).data.failedCount).toBe(0)
}

test('a plugin is exported, uninstalled with what needs it, and restored', async ({
  admin,
  api,
}) => {
  const cellar = [{ name: 'title', type: 'string' }]
  await install(
    api,
    await archive('test.cellar', 'Cellar plugin', 'Cellar', cellar, [{ id: 1, title: 'North' }]),
  )
  const bottle = [{ name: 'cellar', type: 'bigint', meta: reference }]
  await install(
    api,
    await archive('test.bottles', 'Bottles plugin', 'Bottle', bottle, [{ id: 1, cellar: 1 }]),
  )

  await admin.goto('/plugins')
  await admin.getByRole('button', { name: 'Actions for Cellar plugin' }).click()
  await admin.getByRole('menuitem', { name: 'Export' }).click()
  const exporting = admin.getByRole('dialog', { name: 'Export Cellar plugin' })
  await expectAccessible(admin)
  const downloading = admin.waitForEvent('download')
  await exporting.getByRole('link', { name: 'Download' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('test.cellar-1.0.0.zip')
  const exported = await JSZip.loadAsync(await readFile(await download.path()))
  expect(await exported.file('Cellar/data.json')?.async('string')).toBe(
    '[\n{"id":1,"title":"North"}\n]\n',
  )

  await admin.getByRole('link', { name: 'Cellar plugin' }).click()
  await admin.getByRole('button', { name: 'Uninstall' }).click()
  const asking = admin.getByRole('alertdialog', { name: 'Uninstall Cellar plugin?' })
  await expect(asking.getByText('Bottle of test.bottles refers to Cellar (cellar)')).toBeVisible()
  await asking.getByRole('textbox').fill('Cellar plugin')
  await expect(asking.getByRole('button', { name: 'Uninstall' })).toBeDisabled()
  await expectAccessible(admin)
  await asking.getByRole('button', { name: 'Include them' }).click()
  await expect(asking.getByText('Cellar plugin, Bottles plugin')).toBeVisible()
  await asking.getByRole('button', { name: 'Uninstall' }).click()
  // Under the pointer it stays: its link is followed after everything else was looked at.
  await admin.getByText('Cellar plugin, Bottles plugin uninstalled').hover()
  await expect(admin).toHaveURL(/\/plugins$/)
  await expect(admin.getByRole('link', { name: 'Cellar plugin' })).toBeHidden()
  expect((await api.get('/api/entities/Bottle')).status()).toBe(404)

  await admin.getByRole('link', { name: 'Open Recently changed to restore it' }).click()
  const panel = admin.getByRole('dialog', { name: 'Uninstalled: Cellar plugin, Bottles plugin' })
  await expect(panel.getByText('Bottle, Cellar')).toBeVisible()
  await expectAccessible(admin)
  await panel.getByRole('button', { name: /^Restore/ }).click()
  const restoring = admin.getByRole('alertdialog')
  await restoring.getByRole('button', { name: /^Restore/ }).click()
  await expect(admin.getByText(/with 2 records restored/)).toBeVisible()
  expect((await (await api.get('/api/entities/Bottle')).json()).data).toHaveLength(1)

  await admin.goto('/plugins/history')
  await expect(admin.getByRole('row', { name: /Cellar plugin/ }).first()).toContainText('Restored')
})
