import { expect, test } from 'vitest'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { GET as SEARCH } from '../entities/[entityName]/route'
import { POST as INSTALL } from './install/zip/route'

const deps = freshDeps()

const POLICY = {
  name: 'Clerks read notes',
  principals: ['Clerk'],
  entities: ['Note'],
  actions: ['read'],
}

async function install(policy: object) {
  const files = pluginFiles({
    EngineEntities: { files: { 'Note.json': { name: 'Note' } } },
    EngineRoles: { files: { 'Clerk.json': { name: 'Clerk', label: 'Clerks' } } },
    EnginePolicies: { files: { 'policies.json': [policy] } },
    Note: { files: { 'data.json': [{ id: 1, text: 'a' }] } },
  })
  const body = uploadOf(await archiveOf(files))
  return (
    await call(deps, INSTALL, {
      method: 'POST',
      path: '/api/plugins/install/zip',
      body,
      as: 'ADMIN',
    })
  ).body
}

const read = async (as: string) =>
  (await call(deps, SEARCH, { path: '/api/entities/Note', as, params: { entityName: 'Note' } }))
    .status

test('a plugin’s roles and policies decide what other roles may do', async () => {
  expect((await install(POLICY)).data).toMatchObject({ totalFiles: 4, failedCount: 0 })
  expect(await read('Clerk')).toBe(200)
  expect(await read('Somebody')).toBe(403)
  expect(
    (await install({ ...POLICY, principals: ['Viewer'], allow: false })).data.failedCount,
  ).toBe(1)
  expect(await read('VIEWER')).toBe(403)
})

test('a policy on system entities is refused, the other files are installed', async () => {
  const { data } = await install({ ...POLICY, entities: ['EngineUsers'] })
  expect(data).toMatchObject({ totalFiles: 4, failedCount: 1 })
  expect(await read('Clerk')).toBe(403)
})
