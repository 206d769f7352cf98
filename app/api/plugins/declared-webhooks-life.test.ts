import { expect, test } from 'vitest'
import {
  create as createBook,
  deps,
} from '@/app/api/entities/[entityName]/changes/testing/followed'
import { receiver } from '@/app/api/webhooks/testing/receiver'
import { allow, change, list, remove, startSending } from '@/app/api/webhooks/testing/webhooks-api'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { POST as INSTALL } from './install/zip/route'
import { exportPlugin } from './testing/export-api'
import { readTrash, restore, uninstall } from './testing/uninstall-api'

const ID = 'com.example.hooks'
const DECLARED = { name: 'Books', entities: ['Book'], fields: ['title'] }

const send = async (query: string, declared: object[]) => {
  const plugin = pluginFiles({ EngineWebhooks: { files: { 'w.json': declared } } }, { id: ID })
  const body = await uploadOf(await archiveOf(plugin))
  const path = `/api/plugins/install/zip${query}`
  return (await call(deps, INSTALL, { method: 'POST', path, body, as: 'ADMIN' })).body.data
}
const plan = (...declared: object[]) => send('?dryRun=true', declared)

async function install(...declared: object[]): Promise<void> {
  expect(await send('', declared)).toMatchObject({ failedCount: 0 })
}

const only = async () => (await list()).body.data[0]

test('sends nothing of what was before it had an address, and all that comes after', async () => {
  const to = await receiver()
  allow([to.host])
  await install(DECLARED)
  startSending()
  await createBook({ id: 1, title: 'a' })
  const { id } = await only()
  await change(id, { url: to.url })
  await createBook({ id: 2, title: 'b' })
  await expect.poll(to.keys).toEqual(['record.created 2'])
  expect(to.received[0]?.json.data.after).toEqual({ title: 'b' })
  await install({ ...DECLARED, fields: ['id'] })
  await createBook({ id: 3, title: 'c' })
  await expect.poll(to.keys).toEqual(['record.created 2', 'record.created 3'])
  expect(to.received[1]?.json.data.after).toEqual({ id: 3 })
})

test('is exported as it was declared, without its address and secret', async () => {
  await install(DECLARED)
  const { id } = await only()
  const { secret } = (await change(id, { url: 'https://1.1.1.1/hook' })).body.data[0]
  const { files } = await exportPlugin(deps, ID)
  expect(JSON.parse(files['EngineWebhooks/Books.json'] ?? '')).toEqual(DECLARED)
  expect(JSON.stringify(files)).not.toContain('1.1.1.1')
  expect(JSON.stringify(files)).not.toContain(secret)
})

test('comes back from the trash without the address', async () => {
  await install(DECLARED)
  await change((await only()).id, { url: 'https://1.1.1.1/hook' })
  await uninstall(deps, ID)
  const [batch] = await readTrash(deps)
  expect((await restore(deps, batch.batchId)).status).toBe(200)
  expect(await only()).toMatchObject({ ...DECLARED, url: null, pluginId: ID })
})

test('that is no longer declared stays until it is deleted', async () => {
  const other = { name: 'Other', entities: ['Book'] }
  await install(DECLARED, other)
  expect(JSON.stringify(await plan(other))).toContain('no longer defines the webhook')
  await install(other)
  const left = (await list()).body.data.find(({ name }: { name: string }) => name === 'Books')
  expect((await remove(left.id)).status).toBe(200)
  expect((await list()).body.data).toMatchObject([{ name: 'Other' }])
})
