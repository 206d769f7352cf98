import { expect, expectAccessible, test } from './fixtures'
import { startOwnServer } from './own-server'
import { ADMIN, API_KEY, otherServerPort } from './server-settings'

let other: Awaited<ReturnType<typeof startOwnServer>>

test.beforeAll(async () => {
  other = await startOwnServer(otherServerPort(), {
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    BOOTSTRAP_API_KEY: API_KEY,
  })
})
test.afterAll(async () => {
  await other?.stop()
})

async function send(method: string, path: string, body: object) {
  const headers = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' }
  const response = await fetch(other.url + path, { method, headers, body: JSON.stringify(body) })
  expect(response.status, await response.clone().text()).toBeLessThan(300)
}

test('what another server has is planned, brought here, decided where both changed it, and undone', async ({
  admin,
  api,
}) => {
  const suffix = Date.now().toString(36)
  const entity = `Brought${suffix}`
  const key = { key: 'id', strategy: 'Fixed', type: 'string' }
  const properties = [
    { name: 'id', type: 'string' },
    { name: 'title', type: 'string' },
  ]
  await send('POST', '/api/model/apply', {
    entities: [{ name: entity, pks: [key] }],
    schemas: [{ name: entity, properties }],
  })
  await send('POST', `/api/entities/${entity}`, { id: 'a', title: 'First' })
  await send('POST', '/api/roles', { name: `Clerk${suffix}`, label: 'Clerks' })

  await admin.goto('/settings')
  await admin.getByRole('link', { name: 'Open other servers' }).click()
  await expect(admin.getByRole('heading', { name: 'Other servers', exact: true })).toBeVisible()
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Add a server' }).click()
  const form = admin.getByRole('dialog', { name: 'Add a server' })
  const name = `Staging ${suffix}`
  await form.getByRole('textbox', { name: 'Name' }).fill(name)
  await form.getByRole('textbox', { name: 'Address' }).fill('http://10.0.0.1')
  await form.getByLabel('API key').fill(API_KEY)
  await form.getByRole('button', { name: 'Add server' }).click()
  await expect(form.getByText('Must begin with https://')).toBeVisible()
  await form.getByRole('textbox', { name: 'Address' }).fill(other.url)
  await form.getByRole('button', { name: 'Add server' }).click()
  await admin.getByRole('button', { name: `Test ${name}` }).click()
  await expect(admin.getByText('Connected')).toBeVisible()

  const bring = async () => {
    await admin.getByRole('button', { name: `Bring here from ${name}` }).click()
    const dialog = admin.getByRole('dialog', { name: `Bring from ${name}` })
    await dialog.getByRole('radio', { name: /^Of some entities/ }).click()
    const entities = dialog.getByRole('combobox', { name: 'Entities' })
    await entities.fill(entity)
    await entities.press('Enter')
    await expectAccessible(admin)
    await dialog.getByRole('button', { name: 'Show the plan' }).click()
    return dialog
  }
  const records = async () => {
    const response = await api.get(`/api/entities/${entity}`)
    return response.status() === 404
      ? null
      : (await response.json()).data.map(({ title }: { title: string }) => title)
  }

  const first = await bring()
  await expect(first.getByText(`role Clerk${suffix}`)).toBeVisible()
  await expect(first.getByText('1 record created')).toBeVisible()
  await expectAccessible(admin)
  expect(await records()).toBeNull()
  await first.getByRole('button', { name: 'Apply the plan' }).click()
  const list = admin.getByRole('listitem').filter({ hasText: new RegExp(`From ${name}`) })
  await expect(list.first().getByText('Done', { exact: true })).toBeVisible()
  expect(await records()).toEqual(['First'])

  await send('PATCH', `/api/entities/${entity}/a`, { title: 'Theirs' })
  await api.patch(`/api/entities/${entity}/a`, { data: { title: 'Ours' } })
  const second = await bring()
  await expect(second.getByText('1 record changed on both servers')).toBeVisible()
  await expect(second.getByRole('button', { name: 'Apply the plan' })).toBeDisabled()
  await second.getByRole('radio', { name: /^Take/ }).click()
  await expect(second.getByRole('button', { name: 'Apply the plan' })).toBeEnabled()
  await expectAccessible(admin)
  await second.getByRole('button', { name: 'Apply the plan' }).click()
  await expect(list.nth(1)).toBeVisible()
  await expect(list.first().getByText('Done', { exact: true })).toBeVisible()
  expect(await records()).toEqual(['Theirs'])

  const done = list.filter({ has: admin.getByText('Done', { exact: true }) }).first()
  await done.getByRole('button', { name: `Undo: From ${name}` }).click()
  const ask = admin.getByRole('alertdialog')
  await expectAccessible(admin)
  await ask.getByRole('button', { name: 'Undo promotion' }).click()
  await expect(ask).toBeHidden()
  await expect.poll(records).toEqual(['Ours'])
})
