import { expect, test } from 'vitest'
import { installs } from '@/lib/db/schema'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { GET } from './route'

const deps = freshDeps()

const tasksFor = async (as: string) => (await call(deps, GET, { path: '/api/tasks', as })).body.data

const INSTALL = {
  ...{ source: 'shop.zip', sha256: '', pluginName: 'Shop', installedBy: 'ann@example.com' },
  ...{ totalFiles: 8, processedFiles: 5, failedCount: 1 },
}

test('running installs are listed with their progress, of all users; finished ones are not', async () => {
  const [first, second] = await deps.db
    .insert(installs)
    .values([
      { ...INSTALL, status: 'IN_PROGRESS' },
      { ...INSTALL, status: 'IN_PROGRESS', pluginName: null, installedBy: null, totalFiles: 0 },
      { ...INSTALL, status: 'SUCCESS', completedAt: new Date() },
    ])
    .returning()
  expect(await tasksFor('ADMIN')).toEqual([
    {
      ...{ kind: 'install', id: String(first?.id), name: 'Shop', startedBy: 'ann@example.com' },
      ...{ startedAt: first?.startedAt.toISOString(), done: 5, total: 8, failed: 1, dryRun: false },
    },
    expect.objectContaining({ id: String(second?.id), name: 'shop.zip', startedBy: null }),
  ])
})

test('a running rollback is listed as one', async () => {
  await deps.db.insert(installs).values({ ...INSTALL, kind: 'rollback', status: 'IN_PROGRESS' })
  expect(await tasksFor('ADMIN')).toEqual([expect.objectContaining({ kind: 'rollback' })])
})

test('who may not read plugins sees none of their installs', async () => {
  await deps.db.insert(installs).values({ ...INSTALL, status: 'IN_PROGRESS' })
  expect(await tasksFor('EDITOR')).toEqual([])
  expect(await tasksFor('VIEWER')).toEqual([])
})
