import type { APIRequestContext } from '@playwright/test'
import JSZip from 'jszip'
import { expect, expectAccessible, test } from './fixtures'

/** Another author's plugin with an entity, a role and a policy. */
async function installShop(api: APIRequestContext): Promise<string> {
  const name = `Ware${Date.now().toString(36)}`
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  put('engineplugin.json', { id: `test.${name}`, name, version: '1.0.0' })
  for (const target of ['EngineSchemas', 'EngineEntities', 'EngineRoles', 'EnginePolicies'])
    put(`${target}/__manifest__.json`, { target })
  put('EngineSchemas/a.json', { name, properties: [{ name: 'price', type: 'integer' }] })
  put('EngineEntities/a.json', { name })
  put('EngineRoles/a.json', { name: `Clerk${name}`, label: 'Clerk' })
  put('EnginePolicies/a.json', {
    ...{ name: `policy ${name}`, principals: [`Clerk${name}`] },
    ...{ entities: [name], actions: ['read'], priority: 3 },
  })
  const buffer = await zip.generateAsync({ type: 'nodebuffer' })
  const file = { name: `${name}.zip`, mimeType: 'application/zip', buffer }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect((await response.json()).data).toMatchObject({ failedCount: 0 })
  return name
}

test('a plugin’s role and policy are edited by clicking, its changes are listed, and reverted', async ({
  admin,
  api,
}) => {
  const name = await installShop(api)
  await admin.goto(`/roles/Clerk${name}`)
  await admin.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Label' }).fill('Office')
  await dialog.getByRole('button', { name: 'Show the plan' }).click()
  await expect(dialog.getByText('Becomes version 1.0.0+local.1 of')).toBeVisible()
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(admin.getByText(`Role Clerk${name} changed`)).toBeVisible()

  const [policy] = (await (await api.get(`/api/policies?role=Clerk${name}`)).json()).data
  expect(policy.plugin).toBe(`test.${name}`)
  const model = { plugin: `test.${name}` }
  const properties = [{ name: 'price', type: 'integer', meta: { min: 0 } }]
  const changed = await api.post('/api/model/apply', {
    data: { ...model, schemas: [{ name, properties }] },
  })
  expect(changed.status()).toBe(200)

  await admin.goto(`/plugins/test.${name}`)
  await admin.getByRole('tab', { name: 'Changes here' }).click()
  const list = admin.getByRole('list', { name: 'Local changes' })
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await expectAccessible(admin)
  await admin.getByRole('button', { name: `Revert schema ${name}` }).click()
  await expect(dialog.getByText(`As the author gave it: schema ${name}`)).toBeVisible()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await admin.getByRole('button', { name: 'Revert all' }).click()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  // Behind the open dialog the list is hidden as well.
  await expect(dialog).toBeHidden()
  await expect(list).toBeHidden()
  const layers = async () =>
    JSON.stringify((await (await api.get('/api/model/layers')).json()).data)
  await expect.poll(layers).not.toContain(name)
})

test('a type is made by clicking, a field has it, and it is removed when none has it any more', async ({
  admin,
  api,
}) => {
  const type = `Size${Date.now().toString(36)}`
  await admin.goto('/entities?view=types')
  await admin.getByRole('button', { name: 'New type' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill(type)
  const choices = dialog.getByLabel('Choices')
  for (const choice of ['S', 'L']) {
    await choices.fill(choice)
    await choices.press('Enter')
  }
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Show the plan' }).click()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(admin.getByText(`The type ${type} was created`)).toBeVisible()
  const row = admin.getByRole('row').filter({ hasText: type })
  await expect(row).toContainText('one of S, L')
  const entity = `Shirt${type}`
  const model = {
    entities: [{ name: entity }],
    schemas: [{ name: entity, properties: [{ name: 'size', type }] }],
  }
  expect((await api.post('/api/model/apply', { data: model })).status()).toBe(200)
  expect((await api.post(`/api/entities/${entity}`, { data: { size: 'M' } })).status()).toBe(400)
  const remove = admin.getByRole('button', { name: `Remove ${type}` })
  await remove.click()
  await expect(dialog.getByText(`The field "size" of "${entity}"`)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Apply' })).toBeDisabled()
  await admin.keyboard.press('Escape')
  const removed = await api.post('/api/model/apply', { data: { removed: [entity] } })
  expect(removed.status()).toBe(200)
  await remove.click()
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(admin.getByText(`The type ${type} was removed`)).toBeVisible()
  await expect(row).toBeHidden()
})
