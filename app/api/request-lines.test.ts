import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PEER_HEADER } from '@/lib/auth/request-origin'
import { createLog } from '@/lib/log'
import { freshDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey, testKeyOfRoles } from '@/lib/testing/request'
import { GET as readOne } from './entities/[entityName]/[id]/route'
import { GET as health } from './health/route'

const deps = freshDeps()

async function logged(settings: Record<string, string>, level = 'trace') {
  await testDeps({ TRUST_PROXY: '1', ...settings })
  const lines: string[] = []
  deps.log = createLog(level, { write: (line) => void lines.push(line) })
  await installTestEntity(deps, {
    entity: { name: 'Person', keys: ['email'] },
    schema: { properties: [{ name: 'email', type: 'string' }] },
  })
  return {
    read: () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => /^request/.test(msg)),
    text: () => lines.join(''),
  }
}

const KEY = 'ann@example.com'
const readPerson = (key?: string) =>
  call(deps, readOne, {
    path: `/api/entities/Person/${encodeURIComponent(KEY)}?fields=canary`,
    params: { entityName: 'Person', id: KEY },
    headers: {
      [PEER_HEADER]: '10.0.0.1',
      'x-forwarded-for': '198.51.100.9, 203.0.113.7',
      ...(key && { authorization: `Bearer ${key}` }),
    },
  })

test('a request has a line with its route, its sender and the ids of its caller, without names and values', async () => {
  const log = await logged({})
  const key = await testKey(deps, ['ADMIN'])
  const { status, headers } = await readPerson(key)
  await readPerson(await testKeyOfRoles(deps, ['ADMIN']))
  await readPerson()
  const [byUser, byKey, byNobody] = log.read()
  expect(byUser).toMatchObject({
    level: 30,
    msg: 'request refused',
    requestId: headers.get('x-request-id'),
    method: 'GET',
    route: '/api/entities/[entityName]/[id]',
    status,
    address: '203.0.113.7',
    user: expect.stringMatching(/^[0-9a-f-]{36}$/),
    key: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  expect(byUser.ms).toBeGreaterThanOrEqual(0)
  expect([byKey.user, typeof byKey.key]).toEqual([undefined, 'string'])
  expect(byNobody).toMatchObject({ status: 401, code: 'unauthenticated' })
  expect(byNobody).not.toHaveProperty('user')
  for (const text of ['ann', '@example.com', 'canary', 'Person', key, '198.51', '10.0.0.1'])
    expect(log.text()).not.toContain(text)
  const documented = readFileSync(join(__dirname, '../../docs/operation.md'), 'utf8')
  for (const field of Object.keys(byUser)) expect(documented).toContain(`\`${field}\``)
})

test.each([
  ['all', ['request refused', 'request']],
  ['refused', ['request refused']],
  ['off', []],
])('LOG_REQUESTS=%s leaves %j', async (LOG_REQUESTS, expected) => {
  const log = await logged({ LOG_REQUESTS })
  await readPerson()
  await call(deps, health, { path: '/api/health' })
  expect(log.read().map(({ msg }) => msg)).toEqual(expected)
})

test('a failure is logged whatever LOG_REQUESTS is', async () => {
  const log = await logged({ LOG_REQUESTS: 'off' })
  deps.db = new Proxy(deps.db, {
    get: () => {
      throw new Error('broken')
    },
  })
  await readPerson('eng_0123456789abcdef0123456789abcdef')
  expect(log.read()).toMatchObject([
    { level: 50, msg: 'request failed', status: 500, cause: { message: 'broken' } },
  ])
})

test('watching the server is logged at the level debug', async () => {
  const log = await logged({})
  await call(deps, health, { path: '/api/health' })
  expect(log.read()).toMatchObject([{ level: 20, route: '/api/health', status: 200 }])
})
