import { expect, test } from 'vitest'
import { policies } from '@/lib/db/schema'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { ROWS, routesOf } from './testing/access'

const deps = currentDeps()

const GUESTS = [
  'DELETE /api/entities/[entityName]/[id]',
  'DELETE /api/entities/[entityName]/batch',
  'GET /api/entities/[entityName]',
  'GET /api/entities/[entityName]/[id]',
  'GET /api/entities/[entityName]/columns',
  'GET /api/entities/[entityName]/count',
  'PATCH /api/entities/[entityName]/[id]',
  'PATCH /api/entities/[entityName]/batch',
  'POST /api/entities/[entityName]',
  'POST /api/entities/[entityName]/batch',
  'POST /api/entities/[entityName]/count',
  'POST /api/entities/[entityName]/search',
  'PUT /api/entities/[entityName]',
  'PUT /api/entities/[entityName]/[id]',
  'PUT /api/entities/[entityName]/batch',
]

test('nothing but the routes of records lets them in', async () => {
  await testDeps({ ANONYMOUS_ACCESS: 'on' })
  await deps.db.insert(policies).values({
    ...{ name: 'Guests', actions: ['*'], allow: true, principals: ['anonymous'] },
    ...{ entities: ['*'], priority: 0, definition: { name: 'Guests' } as never },
  })
  const [marked, open]: [string[], string[]] = [[], []]
  for (const { name, handler, method, path } of await routesOf(() => true)) {
    const [allowed = [], , params] = ROWS[name] ?? []
    if (handler.spec?.guests) marked.push(name)
    if (!path.startsWith('/api/entities') || allowed.includes('no credential')) continue
    const body = ['GET', 'DELETE'].includes(method) ? undefined : {}
    const { status } = await call(deps, handler, { method, path: encodeURI(path), params, body })
    if (status !== 401) open.push(name)
  }
  expect(open.sort()).toEqual(GUESTS)
  expect(marked.sort()).toEqual(GUESTS)
})
