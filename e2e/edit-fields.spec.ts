import type { APIRequestContext } from '@playwright/test'
import { expect, expectAccessible, scrollUp, test } from './fixtures'

/** An entity with two records, of a plugin of its own. */
async function makeShelf(api: APIRequestContext): Promise<string> {
  const name = `Shelf${Date.now().toString(36)}`
  const pks = [{ key: 'code', strategy: 'Fixed', type: 'string' }]
  const properties = [
    { name: 'code', type: 'string' },
    { name: 'title', type: 'string' },
    { name: 'width', type: 'integer' },
  ]
  const model = {
    plugin: `local.${name}`,
    entities: [{ name, pks }],
    schemas: [{ name, properties }],
  }
  const made = await api.post('/api/model/apply', { data: model })
  expect(made.status()).toBe(200)
  for (const record of [
    { code: 'a', title: 'Oak', width: 80 },
    { code: 'b', title: 'Pine shelf' },
  ])
    expect((await api.post(`/api/entities/${name}`, { data: record })).ok()).toBe(true)
  return name
}

test('fields are added, changed and removed by clicking: the plan says what stands in the way, and all can be rolled back', async ({
  admin,
  api,
}) => {
  const entity = await makeShelf(api)
  await admin.goto(`/entities/${entity}/definition`)
  await admin.getByRole('link', { name: 'Edit definition' }).click()

  await admin.getByRole('button', { name: 'Edit width' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: /Required/ }).click()
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Done' }).click()
  const plan = admin
    .locator('section')
    .filter({ has: admin.getByRole('heading', { name: 'Plan', exact: true }) })
  const apply = plan.getByRole('button', { name: 'Apply' })
  await expect(plan.getByText('This can’t be applied')).toBeVisible()
  await expect(apply).toBeDisabled()

  await admin.reload()
  await expect(admin.getByText(/^Draft from .* restored$/)).toBeVisible()
  await admin.getByRole('button', { name: 'Take the change of width back' }).click()
  await expect(plan).toBeHidden()

  await admin.getByRole('button', { name: 'Add field' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Title')
  await dialog.getByRole('button', { name: 'Add field' }).click()
  await expect(dialog.getByText('Another field has this name')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('wood')
  await dialog.getByRole('textbox', { name: 'Label' }).fill('Kind of wood')
  await dialog.getByRole('textbox', { name: 'Default' }).fill('oak')
  await dialog.getByRole('button', { name: 'Add field' }).click()
  await admin.getByRole('button', { name: 'Remove width' }).click()
  await expect(plan.getByText('New field wood')).toBeVisible()
  await scrollUp(admin)
  await expectAccessible(admin)
  await apply.click()
  await expect(admin.getByText(`The definition of ${entity} was changed`)).toBeVisible()
  await expect(plan).toBeHidden()
  const read = async () => (await (await api.get(`/api/entities/${entity}/a`)).json()).data[0]
  expect(await read()).toMatchObject({ title: 'Oak', wood: 'oak' })
  expect(await read()).not.toHaveProperty('width')

  await admin.getByRole('button', { name: 'Show', exact: true }).click()
  await admin.getByRole('button', { name: 'Roll back' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Roll back' }).click()
  await expect.poll(read).toMatchObject({ width: 80 })
})
