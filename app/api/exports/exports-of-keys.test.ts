import { beforeEach, expect, test } from 'vitest'
import { GET as TASKS } from '@/app/api/tasks/route'
import { apiKeys, backgroundExports, users } from '@/lib/db/schema'
import { one } from '@/lib/db/sql'
import { startExports } from '@/lib/export/start-exports'
import { freshDeps } from '@/lib/testing/deps'
import { call, testKeyOfRoles } from '@/lib/testing/request'
import { addWaiting, exportsByKey, exportsOfUser, installThings } from './testing/exports-api'

const deps = freshDeps()
beforeEach(() => installThings(deps))

const ofRoles = async (roles = ['VIEWER'], scopes: string[] | null = null) =>
  exportsByKey(deps, await testKeyOfRoles(deps, roles, scopes))

test('an export of a key with roles of its own is that key’s alone', async () => {
  const mine = await ofRoles()
  const id = await mine.prepare()
  expect(await mine.read(id)).toMatchObject({ status: 'READY', doneRows: 3, createdBy: 'test' })
  expect((await mine.download(id)).status).toBe(200)
  for (const other of [await ofRoles(), await exportsOfUser(deps, ['ADMIN'])]) {
    await other.prepare()
    expect((await other.list()).body.data).toHaveLength(1)
    for (const act of [other.get, other.download, other.cancel, other.remove])
      expect((await act(id)).status).toBe(404)
  }
  expect((await mine.list()).body.data).toMatchObject([{ id }])
})

test('it is among the tasks of that key while it waits', async () => {
  const [mine, other] = [await ofRoles(['VIEWER'], ['Thing:read']), await ofRoles()]
  await addWaiting(deps, { keyId: mine.keyId })
  const tasks = async ({ headers }: typeof mine) =>
    (await call(deps, TASKS, { path: '/api/tasks', headers })).body.data
  expect(await tasks(mine)).toMatchObject([{ kind: 'export', name: 'Thing' }])
  expect(await tasks(other)).toEqual([])
})

test.each([
  ['is revoked', { revokedAt: new Date() }, 'is not active'],
  ['has expired', { expiresAt: new Date(0) }, 'is not active'],
  ['has lost its role', { roles: ['nobody'] }, 'lacks the right'],
])('it fails when its key %s before it is prepared', async (_, change, reason) => {
  const { keyId } = await ofRoles()
  const id = await addWaiting(deps, { keyId })
  await deps.db.update(apiKeys).set(change)
  await startExports(deps)
  expect(one(await deps.db.select().from(backgroundExports))).toMatchObject({
    ...{ id, status: 'FAILED', doneRows: 0, error: expect.stringContaining(reason) },
  })
})

test('no key has more than ten', async () => {
  const mine = await ofRoles()
  for (let count = 0; count < 10; count++) expect((await mine.create()).status).toBe(201)
  expect((await mine.create()).status).toBe(409)
  expect((await (await ofRoles()).create()).status).toBe(201)
})

test('accounts that are deleted take none of them along', async () => {
  const mine = await ofRoles()
  const id = await mine.prepare()
  await exportsOfUser(deps)
  await deps.db.delete(users)
  expect((await mine.download(id)).status).toBe(200)
})
