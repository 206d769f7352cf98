import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { apiKeys } from '@/lib/db/schema'
import { rows } from '@/lib/db/sql'
import { pluginLock } from '@/lib/installs/history-entries'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { call, testKey, testKeyOfRoles } from '@/lib/testing/request'
import { POST } from './route'

const deps = freshDeps()

const TAG = { name: 'Tag', pks: [{ key: 'id', strategy: 'Fixed', type: 'string' }] }
const installs = () => rows(deps.db, sql`select status, errors from engine.installs`)
const REFUSED = [{ status: 'FAILED', errors: [expect.stringContaining('no longer active')] }]

async function beginInstall(key: string) {
  const files = pluginFiles({ EngineEntities: { files: { 'Tag.json': TAG } } })
  return call(deps, POST, {
    ...{ method: 'POST', path: '/api/plugins/install/zip', body: uploadOf(await archiveOf(files)) },
    headers: { prefer: 'respond-async', authorization: `Bearer ${key}` },
  })
}

test.each([
  ['a key with roles of its own', testKeyOfRoles],
  ['a key of a person', testKey],
])('an install that waits does nothing once %s is revoked', async (_, makeKey) => {
  const key = await makeKey(deps, ['ADMIN'])
  await deps.locks.hold(pluginLock('com.example.shop'), 0, async () => {
    expect((await beginInstall(key)).status).toBe(202)
    await deps.db.update(apiKeys).set({ revokedAt: new Date() })
  })
  await expect.poll(installs).toEqual(REFUSED)
  expect(await rows(deps.db, sql`select from engine.entities`)).toEqual([])
})

test('one in flight ends within seconds', async () => {
  const key = await testKeyOfRoles(deps, ['ADMIN'])
  await deps.locks.hold(pluginLock('com.example.shop'), 0, async () => {
    expect((await beginInstall(key)).status).toBe(202)
    await deps.db.update(apiKeys).set({ revokedAt: new Date() })
    await expect.poll(installs, { timeout: 10_000 }).toEqual(REFUSED)
  })
})
