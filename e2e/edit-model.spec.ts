import { expect, expectAccessible, scrollUp, test } from './fixtures'

const unique = (name: string) => `${name}${Date.now().toString(36)}`

test('an entity is made by clicking: name, key, fields and settings, with the plan at once', async ({
  admin,
  api,
}) => {
  const [entity, plugin] = [unique('Guest'), unique('local.guests')]
  await admin.goto('/entities')
  await admin.getByRole('link', { name: 'New entity', exact: true }).click()
  await expect(admin.getByRole('heading', { name: 'New entity' })).toBeVisible()
  await expectAccessible(admin)

  const name = admin.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('EngineGuest')
  await expect(admin.getByText(/Names that begin with "Engine" are reserved/)).toBeVisible()
  await name.fill(entity)
  await admin.getByRole('combobox', { name: 'Plugin' }).fill(plugin)
  await admin.getByRole('textbox', { name: 'Title' }).fill('Guests')
  await admin.getByRole('textbox', { name: 'Name of key 1' }).fill('code')
  await admin.getByRole('combobox', { name: 'Values of code' }).click()
  await admin.getByRole('option', { name: 'Given with each record' }).click()
  await admin.getByRole('combobox', { name: 'Type of code' }).click()
  await admin.getByRole('option', { name: 'Text' }).click()

  const dialog = admin.getByRole('dialog')
  await admin.getByRole('button', { name: 'Add field' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('email')
  await dialog.getByRole('checkbox', { name: /Required/ }).click()
  await dialog.getByText('Limits and format').click()
  await dialog.getByRole('textbox', { name: 'Pattern' }).fill('@')
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Add field' }).click()

  await admin.getByRole('button', { name: 'Add field' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('seats')
  await dialog.locator('summary', { hasText: 'Position' }).click()
  await dialog.getByRole('combobox', { name: 'Position' }).click()
  await admin.getByRole('option', { name: 'First' }).click()
  await dialog.getByRole('button', { name: 'Add field' }).click()
  await expect(admin.getByRole('table', { name: 'Fields' }).getByRole('row')).toContainText([
    'Name',
    'seats',
    'email',
  ])

  const plan = admin
    .locator('section')
    .filter({ has: admin.getByRole('heading', { name: 'Plan', exact: true }) })
  await expect(plan.getByText(/Becomes version 1\.0\.0 of/)).toBeVisible()
  await plan.getByRole('button', { name: 'Apply' }).click()
  await expect(admin).toHaveURL(`/entities/${entity}`)

  const create = (record: object) => api.post(`/api/entities/${entity}`, { data: record })
  expect((await create({ code: 'a', email: 'a' })).status()).toBe(400)
  expect((await create({ code: 'a', email: 'a@b', seats: 'two' })).ok()).toBe(true)
  expect((await create({ code: 'b', email: 'a@b', other: 1 })).status()).toBe(400)
})

test('keys, rules across fields and settings are edited as the fields are, and the entity is removed', async ({
  admin,
  api,
}) => {
  const entity = unique('Stay')
  const pks = [{ key: 'code', strategy: 'Fixed', type: 'string' }]
  const properties = ['room', 'day'].map((name) => ({ name, type: 'string' }))
  const model = {
    plugin: `local.${entity}`,
    entities: [{ name: entity, pks }],
    schemas: [{ name: entity, properties }],
  }
  expect((await api.post('/api/model/apply', { data: model })).status()).toBe(200)
  for (const code of ['a', 'b'])
    await api.post(`/api/entities/${entity}`, { data: { code, room: '1', day: 'monday' } })

  await admin.goto(`/entities/${entity}/definition/edit`)
  await admin.getByRole('button', { name: 'Add index' }).click()
  const fields = admin.getByRole('combobox', { name: 'Fields of index 1' })
  for (const name of ['room', 'day']) {
    await fields.fill(name)
    await fields.press('Enter')
  }
  await admin.getByRole('combobox', { name: 'Kind of index 1' }).click()
  await admin.getByRole('option', { name: 'Unique together', exact: true }).click()
  await admin.getByRole('textbox', { name: 'Message of rule 1' }).fill('One stay a day')
  const plan = admin
    .locator('section')
    .filter({ has: admin.getByRole('heading', { name: 'Plan', exact: true }) })
  await expect(plan.getByText('This can’t be applied')).toBeVisible()
  await expectAccessible(admin)

  await api.delete(`/api/entities/${entity}/b`)
  await admin.reload()
  await expect(admin.getByText(/^Draft from .* restored$/)).toBeVisible()
  await admin.getByRole('checkbox', { name: /Keep history/ }).click()
  const apply = plan.getByRole('button', { name: 'Apply' })
  await expect(apply).toBeEnabled()
  await apply.click()
  await expect(admin.getByText(`The definition of ${entity} was changed`)).toBeVisible()
  const again = await api.post(`/api/entities/${entity}`, {
    data: { code: 'c', room: '1', day: 'monday' },
  })
  expect(again.status()).toBe(409)
  expect((await again.json()).error).toContain('One stay a day')

  await admin.getByRole('button', { name: 'Remove entity' }).click()
  await expect(plan.getByText(`Entity ${entity} with 1 record: moved to the trash`)).toBeVisible()
  await scrollUp(admin)
  await expectAccessible(admin)
  await plan.getByRole('button', { name: 'Apply' }).click()
  await expect(admin.getByText(`The entity ${entity} was removed`)).toBeVisible()
  await expect(admin).toHaveURL('/entities')
  expect((await api.get(`/api/entities/${entity}/a`)).status()).toBe(404)
  await admin.goto('/trash')
  const removed = admin.getByRole('row').filter({ hasText: entity })
  // It was the last one of its plugin, which goes with it.
  await expect(removed.getByText('Plugin', { exact: true })).toBeVisible()
})
