import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { GET as LIST_KEYS } from '@/app/api/api-keys/route'
import { GET as READ_DOCUMENT } from '@/app/api/openapi.json/route'
import { apiKeys, auditLog, users } from '@/lib/db/schema'
import type { Handler } from '@/lib/http/route'
import { call, testKey } from '@/lib/testing/request'
import { GET as HISTORY } from './[id]/history/route'
import { PATCH, GET as READ } from './[id]/route'
import { GET as ADVICE } from './advice/route'
import { GET as COLUMNS } from './columns/route'
import { GET as COUNT } from './count/route'
import { POST as EXPORT } from './export/route'
import { POST as CREATE_EXPORT } from './exports/route'
import { POST as CREATE, GET as LIST } from './route'
import { POST as SEARCH } from './search/route'
import { allow, clerk, deps } from './testing/branches'

type Headers = Record<string, string>

const ORDER = { entityName: 'Order' }
const READS: [string, Handler, { method?: string; path: string; body?: object; id?: string }][] = [
  ['list', LIST, { path: '?sort=total:desc&expand=branch' }],
  ['search', SEARCH, { path: '/search', body: { sort: [{ field: 'id' }] } }],
  ['search without a right to a field', SEARCH, { path: '/search', body: { fields: ['margin'] } }],
  ['count', COUNT, { path: '/count' }],
  ['columns', COLUMNS, { path: '/columns' }],
  ['one', READ, { path: '/1', id: '1' }],
  ['a hidden one', READ, { path: '/4', id: '4' }],
  ['history', HISTORY, { path: '/1/history', id: '1' }],
  ['export', EXPORT, { path: '/export?format=csv', body: {} }],
]

const ask = (
  headers: Headers,
  handler: Handler,
  { path, body, id, method }: (typeof READS)[number][2],
) =>
  call(deps, handler, {
    method: method ?? (body ? 'POST' : 'GET'),
    path: `/api/entities/Order${path}`,
    params: { ...ORDER, ...(id ? { id } : {}) },
    body,
    headers,
  })

const list = (headers: Headers) => ask(headers, LIST, { path: '' })

/** Of an administrator who looks as somebody else. */
const as = async (whom: string, scopes: string[] | null = null, roles = ['ADMIN']) => ({
  authorization: `Bearer ${await testKey(deps, roles, scopes)}`,
  'X-Engine-View-As': whom,
})

const told = ({ status, text }: { status: number; text: string }) => [
  status,
  text.replace(/"(timestamp|requestId)":("[^"]*"|\d+)/g, ''),
]

let own: Headers
let [userId, keyId] = ['', '']

beforeEach(async () => {
  const branch = { field: 'branch', operator: 'eq', value: '$me.profile.branch' }
  await allow({ entities: ['Order'], where: [branch], fields: { except: ['margin'] } })
  await allow({ entities: ['Branch'], fields: ['region'], principals: ['*'] })
  own = await clerk({ branch: 'N1' })
  const [user] = await deps.db.select({ id: users.id }).from(users)
  const [key] = await deps.db.select({ id: apiKeys.id }).from(apiKeys)
  userId = user?.id ?? ''
  keyId = key?.id ?? ''
})

test.each(READS)('%s: is that of the user, or of the key', async (_, handler, request) => {
  const expected = told(await ask(own, handler, request))
  expect(told(await ask(await as(`user:${userId}`), handler, request))).toEqual(expected)
  expect(told(await ask(await as(`key:${keyId}`), handler, request))).toEqual(expected)
  const all = told(await ask(await as('role:ADMIN'), handler, request))
  if (handler !== HISTORY) expect(all).not.toEqual(expected)
})

test('a role by itself has no profile, and a key its scopes', async () => {
  const { body } = await list(await as('role:clerk'))
  expect(body.data).toEqual([])
  await deps.db
    .update(apiKeys)
    .set({ scopes: ['Branch:read'] })
    .where(eq(apiKeys.id, keyId))
  expect((await list(await as(`key:${keyId}`))).status).toBe(403)
  expect((await list(await as('role:VIEWER'))).body.data).toHaveLength(5)
})

test('needs the right to manage security, with all that the caller may', async () => {
  for (const headers of [
    await as('role:VIEWER', ['security:manage', 'Order:read']),
    await as('role:VIEWER', null, ['EDITOR']),
    { ...own, 'X-Engine-View-As': 'role:VIEWER' },
  ])
    expect((await list(headers)).status).toBe(403)
  expect((await list({ 'X-Engine-View-As': 'role:VIEWER' })).status).toBe(401)
})

test('changes nothing, and means nothing elsewhere', async () => {
  const headers = await as('role:ADMIN')
  const change = { method: 'PATCH', path: '/1', id: '1', body: { total: 7 } }
  expect((await ask(headers, PATCH, change)).status).toBe(403)
  expect((await ask(headers, CREATE, { path: '', body: { id: 9 } })).status).toBe(403)
  expect((await ask(headers, CREATE_EXPORT, { path: '/exports', body: {} })).status).toBe(403)
  expect((await ask(headers, ADVICE, { path: '/advice' })).status).toBe(400)
  const others = [
    await call(deps, LIST_KEYS, { path: '/api/api-keys', headers }),
    await call(deps, READ_DOCUMENT, { path: '/api/openapi.json', headers }),
  ]
  expect(others.map(({ status }) => status)).toEqual([400, 400])
})

test.each([
  ['role:Nobody', 404],
  [`user:${crypto.randomUUID()}`, 404],
  ['user:x', 404],
  [`key:${crypto.randomUUID()}`, 404],
  ['Clerk', 400],
  ['role:', 400],
])('%s is refused with %i', async (whom, status) => {
  expect((await list(await as(whom))).status).toBe(status)
})

test('names with other letters are written as in a URL', async () => {
  await allow({ entities: ['Order'], principals: ['Größe 100%'] })
  expect((await list(await as(`role:${encodeURI('Größe 100%')}`))).body.data).toHaveLength(5)
})

test('is in the audit log, once for some minutes', async () => {
  const [headers, other] = [await as(`user:${userId}`), await as(`user:${userId}`)]
  for (const one of [headers, headers, other, { ...headers, 'X-Engine-View-As': 'role:Clerk' }])
    await list(one)
  const entries = await deps.db
    .select({ type: auditLog.objectType, details: auditLog.details })
    .from(auditLog)
    .where(eq(auditLog.action, 'records.view-as'))
    .orderBy(auditLog.id)
  const user = { as: `user:${userId}`, name: `${userId}@example.com` }
  expect(entries).toEqual(
    [user, user, { as: 'role:Clerk', name: 'Clerk' }].map((details) => ({
      type: 'Order',
      details,
    })),
  )
})
