import { beforeEach, expect, test } from 'vitest'
import type { Handler } from '@/lib/http/route'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import * as one from './[id]/route'
import * as batch from './batch/route'
import * as search from './search/route'

const deps = freshDeps()
let headers: Record<string, string>

const KEYS = [
  { key: 'area', strategy: 'Fixed', type: 'string' },
  { key: 'number', strategy: 'Fixed', type: 'number' },
]
const ENTRY = {
  entity: { name: 'Entry', pks: KEYS },
  schema: {
    properties: [
      { name: 'area', type: 'string' },
      { name: 'number', type: 'bigint' },
      { name: 'note', type: 'string' },
    ],
  },
}
const [EVEN, ODD] = ['9007199254740992', '9007199254740993']

beforeEach(async () => {
  const authorization = `Bearer ${await testKey(deps, ['EDITOR'])}`
  headers = { authorization, 'content-type': 'application/json' }
  await installTestEntity(deps, ENTRY)
})

const send = (handler: Handler | undefined, method: string, path: string, body?: string) =>
  call(deps, handler as Handler, {
    method,
    path: `/api/entities/Entry${path}`,
    body,
    headers,
    params: { entityName: 'Entry', ...(path.length > 10 ? { id: path.slice(1) } : {}) },
  })

const entry = (number: string) => `{"area":"a","number":${number},"note":"${number}"}`
const idOf = (number: string) =>
  Buffer.from(`{"area":"a","number":${number}}`).toString('base64url')
const create = async (...numbers: string[]) => {
  const body = `[${numbers.map(entry).join(',')}]`
  expect((await send(batch.POST, 'POST', '/batch', body)).status).toBe(201)
}
const notes = async () => {
  const { body } = await send(search.POST, 'POST', '/search', '{"fields":["note"]}')
  return body.data.map(({ note }: { note: string }) => note)
}
const CHANGE = '{"note":"changed"}'

test('an id with a large number in a composite key names that record only', async () => {
  await create(EVEN, ODD)
  const found = await send(search.POST, 'POST', '/search', '{"fields":["persistenceId"]}')
  expect(found.text).toContain(idOf(ODD))
  const path = `/${idOf(ODD)}`
  expect((await send(one.GET, 'GET', path)).text).toContain(`"number":${ODD},`)
  expect((await send(one.PATCH, 'PATCH', path, CHANGE)).text).toContain(`"number":${ODD},`)
  expect(await notes()).toEqual([EVEN, 'changed'])
  expect((await send(one.PUT, 'PUT', path, `{"note":"put"}`)).status).toBe(200)
  expect(await notes()).toEqual([EVEN, 'put'])
  expect((await send(one.DELETE, 'DELETE', path)).status).toBe(200)
  expect(await notes()).toEqual([EVEN])
})

test('an id that only its neighbour is close to names nothing', async () => {
  await create(ODD)
  const path = `/${idOf(EVEN)}`
  expect((await send(one.GET, 'GET', path)).status).toBe(404)
  expect((await send(one.PATCH, 'PATCH', path, CHANGE)).status).toBe(404)
  expect((await send(one.DELETE, 'DELETE', path)).status).toBe(404)
  const own = `/${idOf(ODD)}`
  expect((await send(one.GET, 'GET', own)).status).toBe(200)
  expect((await send(one.PATCH, 'PATCH', own, CHANGE)).status).toBe(200)
  expect((await send(one.DELETE, 'DELETE', own)).status).toBe(200)
  expect(await notes()).toEqual([])
})
