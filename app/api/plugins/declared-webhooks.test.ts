import { expect, test } from 'vitest'
import { deps } from '@/app/api/entities/[entityName]/changes/testing/followed'
import { change, list, remove, scopedKey } from '@/app/api/webhooks/testing/webhooks-api'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { POST as ROLLBACK } from './history/[id]/rollback/route'
import { POST as INSTALL } from './install/zip/route'
import { uninstall } from './testing/uninstall-api'

const DECLARED = { name: 'Books', entities: ['Book'], fields: ['title'] }
const URL = 'https://1.1.1.1/hook'

const archive = async (...declared: object[]) =>
  uploadOf(
    await archiveOf(
      pluginFiles(
        { EngineWebhooks: { files: { 'w.json': declared } } },
        { id: 'com.example.hooks' },
      ),
    ),
  )

const install = async (declared: object, query = '', headers?: Record<string, string>) =>
  (
    await call(deps, INSTALL, {
      ...{
        method: 'POST',
        path: `/api/plugins/install/zip${query}`,
        body: await archive(declared),
      },
      ...(headers ? { headers } : { as: 'ADMIN' }),
    })
  ).body

const only = async () => (await list()).body.data[0]

test('a plugin declares a webhook, which waits until an address is filled in', async () => {
  expect((await install(DECLARED)).data).toMatchObject({ failedCount: 0 })
  const { id, ...made } = await only()
  expect(made).toMatchObject({ ...DECLARED, url: null, pluginId: 'com.example.hooks' })
  expect((await change(id, { fields: ['price'] })).status).toBe(409)
  expect((await remove(id)).status).toBe(409)
  const filled = await change(id, { url: URL })
  expect(filled.body.data[0]).toMatchObject({ url: URL, secret: expect.stringMatching(/^whsec_/) })
  expect((await change(id, { url: URL })).body.data[0]).not.toHaveProperty('secret')
})

test('an upgrade keeps the address, and a rollback brings the former declaration back', async () => {
  await install(DECLARED)
  const { id } = await only()
  await change(id, { url: URL, enabled: false })
  const { data } = await install({ ...DECLARED, fields: ['title', 'price'] })
  const { savedBy } = await only()
  const kept = { id, url: URL, enabled: false }
  expect(await only()).toMatchObject({ ...kept, fields: ['title', 'price'] })
  const undone = await call(deps, ROLLBACK, {
    ...{ method: 'POST', path: `/api/plugins/history/${data.history}/rollback`, as: 'ADMIN' },
    params: { id: String(data.history) },
  })
  expect(undone.status).toBe(200)
  expect(await only()).toMatchObject({ ...kept, fields: ['title'], savedBy })
})

test('the plan lists it and writes nothing, and uninstalling removes it', async () => {
  const planned = await install(DECLARED, '?dryRun=true')
  expect(JSON.stringify(planned)).toContain('waits for an address')
  expect((await list()).body.data).toEqual([])
  await install(DECLARED)
  const removed = await uninstall(deps, 'com.example.hooks')
  expect(removed.body.data).toMatchObject([{ webhooks: ['Books'] }])
  expect((await list()).body.data).toEqual([])
})

test.each([
  ['an address', { url: URL }, 'after the install'],
  ['an unknown key', { feilds: ['title'] }, 'did you mean'],
  ['an unknown entity', { entities: ['Bok'] }, 'neither in the archive nor installed'],
  ['an unknown field', { fields: ['titel'] }, 'titel'],
])('%s is a fault of the file', async (_, wrong, message) => {
  const file = { ...DECLARED, ...wrong }
  expect(JSON.stringify(await install(file, '?dryRun=true'))).toContain(message)
  expect((await install(file)).data).toMatchObject({ failedCount: 1 })
  expect((await list()).body.data).toEqual([])
})

test('declaring needs the right to manage webhooks', async () => {
  const key = await scopedKey('plugins:install', 'Book:read')
  expect(JSON.stringify(await install(DECLARED, '?dryRun=true', key))).toContain('webhooks:manage')
  expect((await install(DECLARED, '', key)).data).toMatchObject({ failedCount: 1 })
  expect((await list()).body.data).toEqual([])
})
