import type { APIRequestContext } from '@playwright/test'
import JSZip from 'jszip'
import { expect, test } from './fixtures'
import { choose, runInPalette, skipToContent, tabTo, type } from './keys'

// Nothing here is pressed by a pointer: every control is reached as a keyboard reaches it, which takes hundreds of presses.
test.setTimeout(120_000)

type Lamp = { id: number; watts: number }

/** An archive of `name`: lamps in a room, with a field of every kind. */
async function archive(name: string, version: string, lamps: Lamp[]): Promise<Buffer> {
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  const watts = { name: 'watts', type: 'integer', min: 1 }
  const room = { name: 'room', type: 'string', reference: { entity: `${name}Room`, field: 'code' } }
  const pks = [{ key: 'code', strategy: 'Fixed', type: 'string' }]
  const rooms = [
    { code: 'A1', title: 'Hall' },
    { code: 'B2', title: 'Attic' },
  ]
  put('engineplugin.json', { id: `test.${name}`, name, version })
  for (const target of ['EngineSchemas', 'EngineEntities'])
    put(`${target}/__manifest__.json`, { target })
  put(`EngineSchemas/${name}Room.json`, {
    name: `${name}Room`,
    properties: [{ name: 'title', type: 'string' }],
  })
  put(`EngineSchemas/${name}.json`, {
    name,
    properties: [
      { name: 'title', type: 'string', required: true, maxLength: 60 },
      watts,
      { name: 'price', type: 'decimal' },
      { name: 'kind', type: 'string', enum: ['desk', 'floor', 'wall'] },
      { name: 'bought', type: 'date' },
      { name: 'lit', type: 'boolean' },
      { name: 'extra', type: 'object' },
      { name: 'tags', type: 'array' },
      { name: 'note', type: 'text' },
      room,
    ],
  })
  put(`EngineEntities/${name}Room.json`, { name: `${name}Room`, pks, insertDuplicate: 'Upsert' })
  put(`EngineEntities/${name}.json`, { name, insertDuplicate: 'Upsert' })
  put(`${name}Room/__manifest__.json`, { target: `${name}Room` })
  put(`${name}Room/data.json`, rooms)
  const after = [`${name}Room`]
  put(`${name}/__manifest__.json`, { target: name, dependencies: after, insertDuplicate: 'Upsert' })
  const records = lamps.map((lamp) => ({ title: `Lamp ${lamp.id}`, ...lamp }))
  put(`${name}/data.json`, records)
  return zip.generateAsync({ type: 'nodebuffer' })
}

const zipFile = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/zip', buffer })

async function install(api: APIRequestContext, name: string, lamps: Lamp[]): Promise<void> {
  const file = zipFile(`${name}.zip`, await archive(name, '1.0.0', lamps))
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect((await response.json()).data.failedCount).toBe(0)
}

const lampsOf = async (api: APIRequestContext, entity: string, query: unknown[] = []) => {
  const sort = [{ field: 'id', direction: 'asc' }]
  const found = await api.post(`/api/entities/${entity}/search`, { data: { query, sort } })
  return (await found.json()).data
}

test('a record with every kind of field is created and changed', async ({ admin, api }) => {
  await install(api, 'Lamp', [{ id: 1, watts: 5 }])
  const { keyboard } = admin
  await admin.goto('/entities/Lamp')
  await expect(admin.getByRole('table').locator('tbody tr').first()).toBeVisible()
  await skipToContent(admin)
  await tabTo(admin.getByRole('button', { name: 'Create', exact: true }))
  await keyboard.press('Enter')
  const panel = admin.getByRole('dialog')
  const field = (name: string) => panel.getByRole('textbox', { name, exact: true })
  const tags = panel.getByRole('combobox', { name: 'Tags' })
  await expect(field('Title')).toBeFocused()
  await keyboard.press('Enter')
  await expect(panel.getByText('Enter a value')).toBeVisible()
  await expect(field('Title')).toBeFocused()

  await keyboard.type('Reading lamp')
  await type(field('Watts'), '0')
  await type(field('Price'), '19.90')
  await choose(panel.getByRole('combobox', { name: 'Kind' }), 'floor')
  await tabTo(panel.getByLabel('Bought'))
  await keyboard.type('03142026')
  await choose(panel.getByRole('combobox', { name: 'Lit' }), 'Yes')
  await tabTo(panel.getByRole('button', { name: 'Add a key' }))
  await keyboard.press('Enter')
  await expect(field('Key 1')).toBeFocused()
  await keyboard.type('socket')
  await type(field('Value of socket'), 'E27')
  await tabTo(panel.getByRole('button', { name: 'Add a key' }))
  await keyboard.press('Enter')
  await expect(field('Key 2')).toBeFocused()
  await keyboard.type('arms')
  await tabTo(panel.getByRole('combobox', { name: 'Type of arms' }))
  await keyboard.press('n')
  await type(field('Value of arms'), '2')
  await tabTo(tags)
  for (const tag of ['warm', 'tall']) {
    await keyboard.type(tag)
    await keyboard.press('Enter')
  }
  await type(field('Note'), 'Beside the chair')
  await tabTo(panel.getByRole('combobox', { name: 'Room' }))
  await keyboard.type('Att')
  await expect(admin.getByRole('option', { name: /Attic.*B2/ })).toBeVisible()
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await expect(panel.getByRole('combobox', { name: 'Room' })).toHaveValue('Attic')

  // What the server refuses has the focus, and its message leaves with the correction.
  await tabTo(panel.getByRole('button', { name: 'Create', exact: true }))
  await keyboard.press('Enter')
  await expect(panel.getByText('must be at least 1')).toBeVisible()
  await expect(field('Watts')).toBeFocused()
  await type(field('Watts'), '12')
  await expect(panel.getByText('must be at least 1')).toBeHidden()
  await keyboard.press('Enter')
  await expect(panel.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
  const made = {
    title: 'Reading lamp',
    watts: 12,
    kind: 'floor',
    bought: expect.stringMatching(/^2026-03-14/),
    lit: true,
    extra: { socket: 'E27', arms: 2 },
    tags: ['warm', 'tall'],
    note: 'Beside the chair',
    room: 'B2',
  }
  const [, created] = await lampsOf(api, 'Lamp')
  expect(created).toMatchObject(made)
  expect(Number(created.price)).toBe(19.9)

  await tabTo(panel.getByRole('button', { name: 'Edit', exact: true }))
  await keyboard.press('Enter')
  await expect(field('Title')).toBeFocused()
  await type(field('Price'), '24.50')
  await choose(panel.getByRole('combobox', { name: 'Kind' }), 'wall')
  await tabTo(panel.getByLabel('Bought'))
  await keyboard.type('04012026')
  await choose(panel.getByRole('combobox', { name: 'Lit' }), 'No value')
  await tabTo(panel.getByRole('button', { name: 'Remove socket' }))
  await keyboard.press('Enter')
  await expect(panel.locator(':focus')).toHaveCount(1)
  await tabTo(panel.getByRole('button', { name: 'Remove warm' }))
  await keyboard.press('Enter')
  await expect(tags).toBeFocused()
  await type(panel.getByRole('combobox', { name: 'Room' }), 'A1')
  await keyboard.press('Escape')
  await tabTo(panel.getByRole('button', { name: 'Save', exact: true }))
  await keyboard.press('Enter')
  await expect(panel.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
  // The panel itself has it.
  await expect(admin.locator('[role="dialog"]:focus')).toHaveCount(1)
  const [, changed] = await lampsOf(api, 'Lamp')
  const bought = expect.stringMatching(/^2026-04-01/)
  const changes = {
    kind: 'wall',
    bought,
    lit: null,
    extra: { arms: 2 },
    tags: ['tall'],
    room: 'A1',
  }
  expect(changed).toMatchObject({ ...made, ...changes })
  expect(Number(changed.price)).toBe(24.5)
  await keyboard.press('Escape')
  await expect(panel).toBeHidden()
})

test('a filter is built, what it finds is deleted and brought back', async ({ admin, api }) => {
  const lamps = Array.from({ length: 12 }, (_, i) => ({ id: i + 1, watts: i + 1 }))
  await install(api, 'Torch', lamps)
  const { keyboard } = admin
  const few = [{ field: 'watts', operator: 'lt', value: 4 }]
  await admin.goto('/entities/Torch')
  const rows = admin.getByRole('table').locator('tbody tr')
  await expect(rows).toHaveCount(12)
  await skipToContent(admin)
  await tabTo(rows.first())
  await keyboard.press('f')
  const builder = admin.getByRole('dialog', { name: 'Filter' })
  await expect(builder.getByRole('combobox', { name: 'Field' })).toBeFocused()
  await keyboard.type('Watts')
  await keyboard.press('Enter')
  await expect(builder.getByRole('textbox', { name: 'Value' })).toBeFocused()
  await keyboard.type('4')
  await tabTo(builder.getByRole('combobox', { name: 'Operator' }), 'Shift+Tab')
  await choose(builder.getByRole('combobox', { name: 'Operator' }), 'is less than')
  await tabTo(builder.getByRole('button', { name: 'Apply' }))
  await keyboard.press('Enter')
  await expect(rows).toHaveCount(3)
  // As long as it closes, it keeps the focus.
  await expect(builder).toBeHidden()

  await tabTo(rows.first())
  await keyboard.press('Space')
  for (const _ of [1, 2]) await keyboard.press('Shift+ArrowDown')
  await expect(admin.getByText('3 selected')).toBeVisible()
  await tabTo(admin.getByRole('button', { name: 'Delete', exact: true }), 'Shift+Tab')
  await keyboard.press('Enter')
  const question = admin.getByRole('alertdialog')
  await tabTo(question.getByRole('button', { name: 'Delete 3' }))
  await keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect.poll(async () => (await lampsOf(api, 'Torch', few)).length).toBe(0)

  await runInPalette(admin, 'recently', /^Recently changed/)
  await expect(admin).toHaveURL(/\/trash$/)
  const deletion = admin.getByRole('row', { name: /^Torch/ })
  await expect(deletion).toBeVisible()
  await tabTo(deletion, 'Tab', 150)
  await keyboard.press('Enter')
  const panel = admin.getByRole('dialog', { name: 'Deleted from Torch' })
  await tabTo(panel.getByRole('button', { name: 'Restore 3 records' }))
  await keyboard.press('Enter')
  await tabTo(question.getByRole('button', { name: 'Restore 3 records' }))
  await keyboard.press('Enter')
  await expect.poll(async () => (await lampsOf(api, 'Torch', few)).length).toBe(3)
})

test('an archive is chosen, its conflict and its fault are read, and it is installed', async ({
  admin,
  api,
}) => {
  await install(api, 'Bulb', [
    { id: 1, watts: 10 },
    { id: 2, watts: 20 },
  ])
  await api.patch('/api/entities/Bulb/1', { data: { watts: 11 } })
  const { keyboard } = admin
  await admin.goto('/plugins')
  await skipToContent(admin)
  const chooser = admin.waitForEvent('filechooser')
  const button = admin.getByRole('button', { name: 'Install plugin' })
  await tabTo(button)
  await keyboard.press('Enter')
  const buffer = await archive('Bulb', '2.0.0', [
    { id: 1, watts: 12 },
    { id: 2, watts: 22 },
  ])
  const zip = await JSZip.loadAsync(buffer)
  zip.file('Bulb/more.json', JSON.stringify([{ id: 3, title: 'Lamp 3', watts: 0 }]))
  const bytes = await zip.generateAsync({ type: 'nodebuffer' })
  await (await chooser).setFiles(zipFile('bulb-2.zip', bytes))
  await expect(admin.getByText('Ready to install')).toBeVisible()
  await expect(button).toBeFocused()

  const conflict = admin.getByRole('radiogroup', { name: 'Bulb 1' })
  const mine = conflict.getByRole('radio', { name: 'Keep mine' })
  const incoming = conflict.getByRole('radio', { name: 'Take the plugin’s' })
  await expect(mine).toBeChecked()
  await tabTo(mine)
  await keyboard.press('ArrowRight')
  await expect(incoming).toBeChecked()
  const fault = admin.locator('summary').filter({ hasText: 'Bulb/more.json' })
  await tabTo(fault)
  const reason = admin.getByText('must be at least 1')
  await expect(reason).toBeVisible()
  await keyboard.press('Enter')
  await expect(reason).toBeHidden()
  await keyboard.press('Enter')
  await expect(reason).toBeVisible()

  await tabTo(admin.getByRole('button', { name: 'Update the plan' }), 'Shift+Tab')
  await keyboard.press('Enter')
  const go = admin.getByRole('button', { name: /^Install \d of \d files$/ })
  await expect(go).toBeFocused()
  expect((await lampsOf(api, 'Bulb'))[0]).toMatchObject({ watts: 11 })
  await keyboard.press('Enter')
  await expect(admin.getByText(/files? written, 1 failed/)).toBeVisible()
  const open = admin.getByRole('link', { name: 'Open', exact: true })
  await tabTo(open, 'Tab', 2)
  expect((await lampsOf(api, 'Bulb')).map(({ watts }: Lamp) => watts)).toEqual([12, 22])

  await keyboard.press('Enter')
  await expect(admin).toHaveURL(/\/plugins\/history\/\d+$/)
  await expect(admin.getByRole('heading', { name: 'Bulb', level: 1 })).toBeVisible()
  const { data } = await (await api.get('/api/plugins/test.Bulb')).json()
  expect(data[0]).toMatchObject({ version: '2.0.0' })
})

test('a person is found by the palette, which runs an action of their page', async ({
  admin,
  api,
}) => {
  const email = `palette-${crypto.randomUUID().slice(0, 8)}@example.com`
  const user = { email, password: 'words of a person', roles: ['VIEWER'], profile: {} }
  const { userId } = (await (await api.post('/api/users/init', { data: user })).json()).data[0]
  const { keyboard } = admin
  await admin.goto('/audit')
  await expect(admin.getByRole('heading', { name: 'Audit', exact: true })).toBeVisible()
  await runInPalette(admin, email.slice(0, 16), new RegExp(`^${email}`))
  await expect(admin).toHaveURL(new RegExp(`/users/${userId}$`))
  await expect(admin.getByRole('heading', { name: email })).toBeVisible()
  await runInPalette(admin, 'Edit', /^Edit$/)
  const dialog = admin.getByRole('dialog')
  await tabTo(dialog.getByRole('checkbox', { name: 'Viewer' }))
  await keyboard.press('Space')
  await tabTo(dialog.getByRole('checkbox', { name: 'Editor' }))
  await keyboard.press('Space')
  await tabTo(dialog.getByRole('button', { name: 'Save' }))
  await keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  const { data } = await (await api.get(`/api/users/${userId}`)).json()
  expect(data[0]).toMatchObject({ email, roles: ['EDITOR'] })
})

test('somebody is invited', async ({ admin, api }) => {
  const email = `invited-${crypto.randomUUID().slice(0, 8)}@example.com`
  const { keyboard } = admin
  await admin.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await admin.goto('/')
  await expect(admin.getByRole('heading', { name: 'Health' })).toBeVisible()
  await runInPalette(admin, 'invite', /^Create a user/)
  await expect(admin).toHaveURL(/\/users\/new$/)
  const address = admin.getByRole('textbox', { name: 'Email' })
  await expect(address).toBeFocused()
  await keyboard.type(email)
  await keyboard.press('Enter')
  await expect(admin.getByText('Give at least one role')).toBeVisible()
  await expect(admin.getByRole('checkbox', { name: 'Administrator' })).toBeFocused()
  await tabTo(admin.getByRole('checkbox', { name: 'Editor' }))
  await keyboard.press('Space')
  await expect(admin.getByText('Give at least one role')).toBeHidden()
  await tabTo(admin.getByRole('button', { name: 'Add field' }))
  await keyboard.press('Enter')
  await expect(admin.getByLabel('Name of field 1')).toBeFocused()
  await keyboard.type('desk')
  await type(admin.getByLabel('Value of desk'), '7')
  await tabTo(admin.getByRole('button', { name: 'Create user' }))
  await keyboard.press('Enter')
  const created = admin.getByRole('dialog', { name: `${email} is created` })
  await tabTo(created.getByRole('button', { name: 'Copy link' }))
  await keyboard.press('Enter')
  const copied = () => admin.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toMatch(/\/activate/)
  await tabTo(created.getByRole('button', { name: 'Go to the user' }))
  await keyboard.press('Enter')
  await expect(admin.getByRole('heading', { name: email })).toBeVisible()
  const users = await (await api.get(`/api/users?filter=email:eq:${email}`)).json()
  expect(users.data).toMatchObject([{ roles: ['EDITOR'], profile: { desk: 7 } }])
  const mails = await (await api.get(`/api/mails?filter=to:eq:${email}`)).json()
  expect(mails.data).toHaveLength(1)
})
