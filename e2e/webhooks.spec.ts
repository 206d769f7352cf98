import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { APIRequestContext } from '@playwright/test'
import JSZip from 'jszip'
import { expect, expectAccessible, test } from './fixtures'
import { receiverPort } from './server-settings'

/** A receiver that is broken until it is repaired. */
async function startReceiver() {
  const received: { type: string; id: string }[] = []
  const state = { code: 500 }
  const server = createServer(async (request, response) => {
    const { type } = JSON.parse(await text(request))
    received.push({ type, id: String(request.headers['webhook-id']) })
    response.writeHead(state.code).end(state.code === 500 ? 'out of order' : 'thanks')
  })
  await new Promise<void>((resolve) => server.listen(receiverPort(), '127.0.0.1', resolve))
  return { received, state, close: () => server.close() }
}

/** An entity that keeps events. */
async function installFollowed(api: APIRequestContext, name: string): Promise<void> {
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  put('engineplugin.json', { id: `test.${name}`, name, version: '1.0.0' })
  put('EngineEntities/__manifest__.json', { target: 'EngineEntities' })
  const pks = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
  put(`EngineEntities/${name}.json`, { name, events: true, pks })
  const buffer = await zip.generateAsync({ type: 'nodebuffer' })
  const file = { name: `${name}.zip`, mimeType: 'application/zip', buffer }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect((await response.json()).data).toMatchObject({ failedCount: 0 })
}

test('a webhook is made, tested, fails, and what failed is sent again once it is repaired', async ({
  admin,
  api,
}) => {
  const name = `Hooked${Date.now().toString(36)}`
  await installFollowed(api, name)
  const receiver = await startReceiver()
  await admin.goto('/webhooks')
  await admin.getByRole('button', { name: 'New webhook' }).click()
  const form = admin.getByRole('dialog', { name: 'New webhook' })
  await form.getByRole('textbox', { name: 'Name' }).fill(name)
  await form.getByRole('textbox', { name: 'Address' }).fill('http://10.0.0.1/hook')
  await form.getByRole('combobox', { name: 'Entities' }).fill(name)
  await form.getByRole('combobox', { name: 'Entities' }).press('Enter')
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
  receiver.close()
})
