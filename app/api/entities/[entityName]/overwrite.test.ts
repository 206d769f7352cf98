import { expect, test } from 'vitest'
import type { Handler } from '@/lib/http/route'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import * as batch from './batch/route'
import * as entity from './route'
import * as search from './search/route'

const deps = freshDeps()

const NOTE = {
  name: 'Note',
  insertDuplicate: 'Upsert',
  pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }],
}
const SCHEMA = { properties: [{ name: 'text', type: 'string' }] }
const SCOPES = ['Note:write', 'Note:read']

const install = (permissions: object = {}) =>
  installTestEntity(deps, { entity: { ...NOTE, permissions }, schema: SCHEMA }, [
    { id: 1, text: 'kept' },
  ])

const key = async (scopes: string[]) => `Bearer ${await testKey(deps, ['EDITOR'], scopes)}`

const send = (handler: Handler | undefined, authorization: string, path: string, body: unknown) =>
  call(deps, handler as Handler, {
    method: 'POST',
    path: `/api/entities/Note${path}`,
    body,
    headers: { authorization },
    params: { entityName: 'Note' },
  })

const texts = async () => {
  const { body } = await send(search.POST, await key(SCOPES), '/search', { fields: ['text'] })
  return body.data.map(({ text }: { text: string }) => text)
}

test.each([
  ['whose key lacks the right', SCOPES, {}],
  ['of an entity that is closed to updates', [...SCOPES, 'Note:update'], { update: false }],
])('creating overwrites nothing for callers %s', async (_, scopes, permissions) => {
  await install(permissions)
  const caller = await key(scopes)
  const single = await send(entity.POST, caller, '', { id: 1, text: 'changed' })
  expect(single.status).toBe(409)
  expect(single.body.validations).toMatchObject([{ field: 'id' }])
  const records = [
    { id: 2, text: 'new' },
    { id: 1, text: 'changed' },
  ]
  const many = await send(batch.POST, caller, '/batch', records)
  expect(many.status).toBe(409)
  expect(many.body.validations).toMatchObject([{ field: 'records.1.id' }])
  expect(await texts()).toEqual(['kept'])
  expect((await send(entity.POST, caller, '', { id: 2, text: 'new' })).status).toBe(201)
  expect(await texts()).toEqual(['kept', 'new'])
})

test('of two concurrent callers that may only create, one stores the record', async () => {
  await install()
  const caller = await key(SCOPES)
  const responses = await Promise.all(
    ['a', 'b'].map((text) => send(entity.POST, caller, '', { id: 2, text })),
  )
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409])
  const stored = responses.find(({ status }) => status === 201)?.body.data[0].text
  expect(await texts()).toEqual(['kept', stored])
})

test('who may also update overwrites', async () => {
  await install()
  const caller = await key([...SCOPES, 'Note:update'])
  expect((await send(entity.POST, caller, '', { id: 1, text: 'changed' })).status).toBe(200)
  expect(await texts()).toEqual(['changed'])
})
