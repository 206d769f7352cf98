import type { APIRequestContext } from '@playwright/test'
import JSZip from 'jszip'
import { expect, expectAccessible, test } from './fixtures'
import { installReferences } from './referring-model'

/** `name` with three records, each with a unique title. */
async function installBooks(api: APIRequestContext, name: string): Promise<void> {
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  put('engineplugin.json', { id: `test.${name}`, name, version: '1.0.0' })
  put('EngineSchemas/__manifest__.json', { target: 'EngineSchemas' })
  const properties = [{ name: 'title', type: 'string', unique: true }]
  put(`EngineSchemas/${name}.json`, { name, properties })
  put('EngineEntities/__manifest__.json', { target: 'EngineEntities' })
  put(`EngineEntities/${name}.json`, { name })
  put(`${name}/__manifest__.json`, { target: name })
  put(`${name}/data.json`, [{ title: 'One' }, { title: 'Two' }, { title: 'Three' }])
  const buffer = await zip.generateAsync({ type: 'nodebuffer' })
  const file = { name: `${name}.zip`, mimeType: 'application/zip', buffer }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect((await response.json()).data.failedCount).toBe(0)
}

const deleteAll = async (api: APIRequestContext, entity: string): Promise<string> => {
  const response = await api.delete(`/api/entities/${entity}/batch?undo=7d`, { data: { entity } })
  return (await response.json()).meta.batchId
}
const titles = async (api: APIRequestContext, entity: string) => {
  const response = await api.get(`/api/entities/${entity}?sort=title:asc`)
  return (await response.json()).data.map(({ title }: { title: string }) => title)
}

test('what was deleted in the console is restored from the trash, later', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Binned')
  await admin.goto('/entities/Binned')
  await admin.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await admin.getByRole('button', { name: 'Delete' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Delete 3' }).click()
  await expect(admin.getByText('3 records deleted')).toBeVisible()
  await admin.getByRole('link', { name: 'Open Recently changed' }).click()
  const panel = admin.getByRole('dialog', { name: 'Deleted from Binned' })
  await expect(panel.getByText('7 days')).toBeVisible()
  await expectAccessible(admin)
  await panel.getByRole('button', { name: 'Close' }).click()

  await admin.getByRole('link', { name: 'Recently changed', exact: true }).click()
  const row = admin.getByRole('row', { name: /^Binned/ })
  await expect(row).toContainText('admin@example.com')
  await expect(row).toContainText('7 days')
  await row.getByRole('button', { name: 'Restore 3 records of Binned' }).click()
  const question = admin.getByRole('alertdialog', { name: 'Restore 3 records of Binned?' })
  await expectAccessible(admin)
  await question.getByRole('button', { name: 'Restore 3 records' }).click()
  await expect(admin.getByText('3 records restored')).toBeVisible()
  await expect(row).toBeHidden()
  expect(await titles(api, 'Binned')).toEqual(['One', 'Three', 'Two'])
  await admin.getByRole('link', { name: 'Open Binned' }).click()
  await expect(admin.getByText('1–3 of 3')).toBeVisible()
})

test('a deletion is looked into, restored in part, and deleted for good', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Sorted')
  await api.delete('/api/entities/Sorted/batch?undo=7d', {
    data: { entity: 'Sorted', query: [{ field: 'title', operator: 'ne', value: 'Four' }] },
  })
  await admin.goto('/entities/Sorted')
  await admin.getByRole('button', { name: 'More actions' }).click()
  await admin.getByRole('menuitem', { name: 'Deleted records' }).click()
  const rows = admin.getByRole('table', { name: 'Deletions' }).getByRole('row')
  await expect(rows).toHaveCount(2)
  await expect(rows.last()).toContainText('Title is not Four')
  await rows.last().getByText('Sorted', { exact: true }).click()
  const panel = admin.getByRole('dialog', { name: 'Deleted from Sorted' })
  await expect(panel.getByText('Title is not Four')).toBeVisible()
  const records = panel.getByRole('list', { name: 'Deleted records' }).getByRole('listitem')
  await expect(records).toHaveText([/One/, /Two/, /Three/])
  await records.nth(1).locator('summary').click()
  await expect(panel.getByRole('region', { name: 'Record 2' })).toContainText('"title": "Two"')
  await expectAccessible(admin)
  await panel.getByRole('checkbox', { name: 'Choose 1', exact: true }).check()
  await panel.getByRole('checkbox', { name: 'Choose 3', exact: true }).check()
  await panel.getByRole('button', { name: 'Restore 2 chosen records' }).click()
  await expect(admin.getByText('2 records restored')).toBeVisible()
  expect(await titles(api, 'Sorted')).toEqual(['One', 'Three'])
  await expect(records).toHaveText([/Two/])

  await panel.getByRole('button', { name: 'Delete for good' }).click()
  const question = admin.getByRole('alertdialog', { name: 'Delete 1 record for good?' })
  await expectAccessible(admin)
  await question.getByRole('button', { name: 'Delete for good' }).click()
  await expect(admin.getByText('Nothing to undo')).toBeVisible()
  const left = async () => (await (await api.get('/api/trash?entity=Sorted')).json()).data
  expect(await left()).toEqual([])

  await deleteAll(api, 'Sorted')
  await admin.reload()
  await expect(rows.last()).toContainText('All records')
  await admin.getByRole('button', { name: 'Delete all for good' }).click()
  const emptying = admin.getByRole('alertdialog', {
    name: 'Delete all changes of Sorted for good?',
  })
  await emptying.getByRole('button', { name: 'Delete all for good' }).click()
  await expect(admin.getByText('Nothing to undo')).toBeVisible()
  expect(await left()).toEqual([])
  await admin.getByRole('button', { name: 'Only Sorted' }).first().click()
  await expect(admin).toHaveURL(/\/trash$/)
})

test('the audit log and the dashboard lead to what was deleted', async ({ admin, api }) => {
  await installBooks(api, 'Traced')
  const batchId = await deleteAll(api, 'Traced')
  await admin.goto('/')
  await admin.locator(`a[href="/trash?batch=${batchId}"]`).click()
  await expect(admin.getByRole('dialog', { name: 'Deleted from Traced' })).toBeVisible()
  await admin.goto('/audit')
  await admin.getByText('Records deleted · 3 records').first().click()
  await admin.getByRole('link', { name: 'Look inside or restore' }).click()
  const panel = admin.getByRole('dialog', { name: 'Deleted from Traced' })
  await panel.getByRole('button', { name: 'Restore 3 records' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Restore 3 records' }).click()
  await expect(admin.getByText('3 records restored')).toBeVisible()
  expect(await titles(api, 'Traced')).toEqual(['One', 'Three', 'Two'])
})

test('a record that cannot be restored is shown with the reason and stays', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Contested')
  const batchId = await deleteAll(api, 'Contested')
  await api.post('/api/entities/Contested', { data: { title: 'Two' } })
  await admin.goto(`/trash?batch=${batchId}`)
  const panel = admin.getByRole('dialog', { name: 'Deleted from Contested' })
  await panel.getByRole('button', { name: 'Restore 3 records' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Restore 3 records' }).click()
  await expect(admin.getByText('2 records restored, 1 record could not be')).toBeVisible()
  await expect(panel.getByRole('heading', { name: '1 record could not be restored' })).toBeVisible()
  await expect(panel.getByRole('table')).toContainText('"title" must be unique')
  await expectAccessible(admin)
  expect(await titles(api, 'Contested')).toEqual(['One', 'Three', 'Two'])
})

test('the way to undo stays for 15 seconds', async ({ admin, api }) => {
  await installBooks(api, 'Lasting')
  await admin.goto('/entities/Lasting?record=1')
  await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await admin.clock.install()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Delete record' }).click()
  await expect(admin.getByText('1 record deleted')).toBeVisible()
  await admin.clock.runFor(15_000)
  await admin.getByRole('button', { name: 'Undo' }).click()
  await expect(admin.getByText('1 record restored')).toBeVisible()
})

test('a deletion that is no longer in the trash is said to be', async ({ admin }) => {
  await admin.goto(`/trash?batch=${crypto.randomUUID()}`)
  await expect(admin.getByText('This change can no longer be undone')).toBeVisible()
  await expectAccessible(admin)
})

test('edited records stand by their titles, references by their names, each with a way to it', async ({
  admin,
  api,
}) => {
  await installReferences(api, 'Retitled')
  const entity = 'RetitledCustomer'
  const title = 'Customer No. 1'
  const query = [{ field: 'id', operator: 'eq', value: 1 }]
  const edited = await api.patch(`/api/entities/${entity}/batch?undo=7d`, {
    data: { entity, query, set: { country: 'IT' } },
  })
  const { batchId } = (await edited.json()).meta
  await admin.goto(`/trash?batch=${batchId}`)
  const panel = admin.getByRole('dialog', { name: `Edited in ${entity}` })
  const row = panel.getByRole('list', { name: 'Changed records' }).getByRole('listitem')
  await expect(row).toContainText(title)
  await row.locator('summary').click()
  await expect(row.locator('del')).toContainText('Germany DE')
  await expect(row.locator('ins')).toContainText('Italy IT')
  await expectAccessible(admin)
  await row.getByRole('link', { name: `Open ${title}` }).click()
  await expect(admin).toHaveURL(new RegExp(`/entities/${entity}\\?record=1$`))
  await expect(admin.getByRole('dialog', { name: title })).toBeVisible()
})
