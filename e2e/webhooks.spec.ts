import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { APIRequestContext } from '@playwright/test'
import JSZip from 'jszip'
import { expect, expectAccessible, test } from './fixtures'
import { receiverPort } from './server-settings'

/** A receiver that is broken until it is repaired, while `use` runs. */
async function withReceiver(use: (receiver: Receiver) => Promise<void>): Promise<void> {
  const received: Receiver['received'] = []
  const state = { code: 500 }
  const server = createServer(async (request, response) => {
    const { type } = JSON.parse(await text(request))
    received.push({ type, id: String(request.headers['webhook-id']) })
    response.writeHead(state.code).end(state.code === 500 ? 'out of order' : 'thanks')
  })
  server.listen(receiverPort(), '127.0.0.1')
  await once(server, 'listening')
  try {
    await use({ received, state })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

type Receiver = { received: { type: string; id: string }[]; state: { code: number } }

/** An entity that keeps events. */
async function installFollowed(
  api: APIRequestContext,
  name: string,
  ...webhooks: object[]
): Promise<void> {
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  put('engineplugin.json', { id: `test.${name}`, name, version: '1.0.0' })
  put('EngineEntities/__manifest__.json', { target: 'EngineEntities' })
  const pks = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
  put(`EngineEntities/${name}.json`, { name, events: true, pks })
  if (webhooks.length > 0) {
    put('EngineWebhooks/__manifest__.json', { target: 'EngineWebhooks' })
    put('EngineWebhooks/webhooks.json', webhooks)
  }
  const buffer = await zip.generateAsync({ type: 'nodebuffer' })
  const file = { name: `${name}.zip`, mimeType: 'application/zip', buffer }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect((await response.json()).data).toMatchObject({ failedCount: 0 })
}

test('a webhook is made, tested, fails, and what failed is sent again once it is repaired', async ({
  admin,
  api,
}) => {
  await withReceiver(async (receiver) => {
    const name = `Hooked${Date.now().toString(36)}`
    await installFollowed(api, name)
    await admin.goto('/webhooks')
    await admin.getByRole('button', { name: 'New webhook' }).click()
    const form = admin.getByRole('dialog', { name: 'New webhook' })
    await form.getByRole('textbox', { name: 'Name' }).fill(name)
    await form.getByRole('textbox', { name: 'Address' }).fill('http://10.0.0.1/hook')
    const entities = form.getByRole('combobox', { name: 'Entities' })
    await entities.fill(name)
    await entities.press('Enter')
    // The conditions of an entity appear, and leave the focus where it is.
    await expect(form.getByRole('group', { name: 'Only records that come to meet' })).toBeVisible()
    await expect(entities).toBeFocused()
    await form.getByRole('button', { name: 'Create webhook' }).click()
    await expect(form.getByText('Must begin with https://')).toBeVisible()
    await expectAccessible(admin)
    const address = `http://127.0.0.1:${receiverPort()}/hook`
    await form.getByRole('textbox', { name: 'Address' }).fill(address)
    await form.getByRole('button', { name: 'Create webhook' }).click()
    const secret = admin.getByRole('dialog', { name: `Secret of “${name}”` })
    await expect(secret.getByText(/^whsec_/)).toBeVisible()
    await secret.getByRole('button', { name: 'I have copied it' }).click()

    await expect(admin.getByRole('heading', { name })).toBeVisible()
    await admin.getByRole('button', { name: 'Send a test' }).click()
    await expect(admin.getByText('The test failed: The receiver answered 500')).toBeVisible()
    expect((await api.post(`/api/entities/${name}`, { data: { id: 7 } })).status()).toBe(201)
    const log = admin.getByRole('table', { name: 'Deliveries' })
    const created = log.getByRole('row', { name: `Created: ${name} 7` })
    await expect(created.getByText('Tried again later')).toBeVisible()
    await expectAccessible(admin)

    receiver.state.code = 200
    await admin.getByRole('button', { name: 'Send a test' }).click()
    await expect(admin.getByText('The test was delivered')).toBeVisible()
    await created.getByRole('button').click()
    const panel = admin.getByRole('dialog', { name: `Created: ${name} 7` })
    await expect(panel.getByText('"record.created"')).toBeVisible()
    await panel.getByRole('button', { name: 'Send again' }).click()
    await expect(panel.getByText('Delivered')).toBeVisible()
    await expect(panel.getByText('thanks')).toBeVisible()
    await expectAccessible(admin)
    await panel.getByRole('button', { name: 'Close' }).click()
    const own = receiver.received.filter(({ type }) => type === 'record.created')
    expect(own.length).toBeGreaterThan(1)
    expect(new Set(own.map(({ id }) => id)).size).toBe(1)

    await admin.getByRole('button', { name: 'Pause' }).click()
    await expect(admin.getByText('Nothing is sent')).toBeVisible()
    await admin.getByRole('button', { name: 'Resume' }).click()
    await expect(admin.getByText('Nothing is sent')).toBeHidden()
  })
})

test('the log is searched, a time is sent again, and the receiver’s author is told what arrives', async ({
  admin,
  api,
}) => {
  await withReceiver(async ({ received, state }) => {
    state.code = 200
    const name = `Logged${Date.now().toString(36)}`
    await installFollowed(api, name)
    const url = `http://127.0.0.1:${receiverPort()}/hook`
    const made = await api.post('/api/webhooks', { data: { name, url, entities: [name] } })
    const { id } = (await made.json()).data[0]
    for (const key of [1, 2]) await api.post(`/api/entities/${name}`, { data: { id: key } })
    await admin.goto(`/webhooks/${id}`)
    const log = admin.getByRole('table', { name: 'Deliveries' })
    await expect(log.getByRole('row', { name: `Created: ${name} 1` })).toBeVisible()
    await expect(log.getByText('Delivered')).toHaveCount(2)
    const search = admin.getByRole('search', { name: 'Find deliveries' })
    await search.getByLabel('Entity').selectOption(name)
    await search.getByLabel('Key of the record').fill('2')
    await expect(log.getByRole('row', { name: `Created: ${name} 1` })).toBeHidden()
    await expect(log.getByRole('row', { name: `Created: ${name} 2` })).toBeVisible()
    await search.getByLabel('From').fill('2020-01-01T00:00')
    await expectAccessible(admin)
    await admin.getByRole('button', { name: 'Send this time again' }).click()
    const question = admin.getByRole('alertdialog')
    await expect(question).toContainText('from 2020-01-01 00:00:00')
    await expectAccessible(admin)
    await question.getByRole('button', { name: 'Send again' }).click()
    await expect(admin.getByText('2 deliveries sent again')).toBeVisible()
    await expect.poll(() => received.length).toBe(4)
    expect(new Set(received.map((one) => one.id)).size).toBe(2)

    await admin.getByRole('button', { name: `Actions for ${name}` }).click()
    await admin.getByRole('menuitem', { name: 'For the receiver' }).click()
    await expect(admin.getByRole('heading', { name: `Receiving “${name}”` })).toBeVisible()
    const request = admin.getByRole('region', { name: 'the request' })
    await expect(request).toContainText('POST /hook HTTP/1.1')
    await expect(request).toContainText('"type":"record.created"')
    await admin.getByRole('tab', { name: 'Python' }).click()
    await expect(admin.getByText('from standardwebhooks.webhooks import')).toBeVisible()
    await expectAccessible(admin)
  })
})

test('a webhook that a plugin declares waits for an address, gets its secret with it, and then sends', async ({
  admin,
  api,
}) => {
  await withReceiver(async ({ received, state }) => {
    state.code = 200
    const name = `Declared${Date.now().toString(36)}`
    await installFollowed(api, name, { name, entities: [name] })
    await admin.goto('/')
    await expect(admin.getByText(/webhooks? needs? an address/)).toBeVisible()
    await admin.goto('/webhooks')
    const row = admin.getByRole('row', { name })
    await expect(row.getByText('Needs an address')).toBeVisible()
    await row.getByRole('link', { name }).click()
    await expectAccessible(admin)
    await admin.getByRole('button', { name: 'Fill in the address' }).click()
    const form = admin.getByRole('dialog', { name: `Address of “${name}”` })
    await form.getByLabel('Address').fill(`http://127.0.0.1:${receiverPort()}/hook`)
    await expectAccessible(admin)
    await form.getByRole('button', { name: 'Save' }).click()
    const secret = admin.getByRole('dialog', { name: `Secret of “${name}”` })
    await expect(secret.getByText(/^whsec_/)).toBeVisible()
    await secret.getByRole('button', { name: 'I have copied it' }).click()
    expect((await api.post(`/api/entities/${name}`, { data: { id: 7 } })).status()).toBe(201)
    await expect.poll(() => received.map(({ type }) => type)).toEqual(['record.created'])
    await expect(admin.getByRole('row', { name: `Created: ${name} 7` })).toBeVisible()
  })
})
