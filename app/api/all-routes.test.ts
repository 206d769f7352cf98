import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { routeFinder } from '@/lib/server/api-handler'
import { ALL_ROUTES } from './all-routes'

const find = routeFinder(ALL_ROUTES)
const nameOf = (handlers: unknown) =>
  Object.entries(ALL_ROUTES).find(([, known]) => known === handlers)?.[0]

test('every route file is served', () => {
  const files = readdirSync('app', { recursive: true }) as string[]
  const paths = files
    .filter((file) => /(^|\/)route\.ts$/.test(file))
    .map((file) => join('/', dirname(file)))
  expect(Object.keys(ALL_ROUTES).sort()).toEqual(paths.sort())
})

test.each<[string, string, object]>([
  ['/api', '/api/[[...path]]', {}],
  ['/api/nope', '/api/[[...path]]', {}],
  ['/api/nope/at/all', '/api/[[...path]]', {}],
  ['/api/users', '/api/users', {}],
  ['/api/users/me', '/api/users/me', {}],
  ['/api/users/7', '/api/users/[userId]', { userId: '7' }],
  ['/api/users/me/rights', '/api/users/[userId]/rights', { userId: 'me' }],
  ['/api/users/me/nope', '/api/[[...path]]', {}],
  ['/api/plugins/history', '/api/plugins/history', {}],
  ['/api/plugins/index', '/api/plugins/index', {}],
  ['/api/plugins/a.b.c', '/api/plugins/[id]', { id: 'a.b.c' }],
  ['/api/entities/A%20b', '/api/entities/[entityName]', { entityName: 'A b' }],
  ['/api/entities/A/a%2Fb', '/api/entities/[entityName]/[id]', { entityName: 'A', id: 'a/b' }],
  ['/api/entities/A/search', '/api/entities/[entityName]/search', { entityName: 'A' }],
  ['/api/entities/search/1', '/api/entities/[entityName]/[id]', { entityName: 'search', id: '1' }],
  ['/api/auth/setup', '/api/auth/setup', {}],
  ['/api/auth/csrf', '/api/auth/[...nextauth]', { nextauth: ['csrf'] }],
  ['/api/auth/a/b%2Fc', '/api/auth/[...nextauth]', { nextauth: ['a', 'b/c'] }],
  ['/api/auth', '/api/[[...path]]', {}],
  ['/api/images/files/x/y.png', '/api/images/files/[...path]', { path: ['x', 'y.png'] }],
  ['/api/openapi.json', '/api/openapi.json', {}],
  ['/schemas/entity.json', '/schemas/[name]', { name: 'entity.json' }],
  ['/api/types.d.ts', '/api/types.d.ts', {}],
])('%s is served by %s', (path, route, params) => {
  const found = find(path)
  expect(nameOf(found?.handlers)).toBe(route)
  if (route !== '/api/[[...path]]') expect(found?.params).toEqual(params)
})
