import { desc } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { upload } from '@/app/api/plugins/testing/plugin-api'
import { auditLog } from '@/lib/db/schema'
import type { Handler } from '@/lib/http/route'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import * as one from './[id]/route'
import * as batch from './batch/route'
import * as entity from './route'
import * as search from './search/route'

const deps = freshDeps()
let headers: Record<string, string>

const SCHEMA = {
  properties: [
    { name: 'big', type: 'bigint' },
    { name: 'exact', type: 'decimal' },
    { name: 'near', type: 'float' },
    { name: 'whole', type: 'integer' },
    { name: 'note', type: 'json' },
  ],
}

beforeEach(async () => {
  headers = {
    authorization: `Bearer ${await testKey(deps, ['EDITOR'])}`,
    'content-type': 'application/json',
  }
  await installTestEntity(deps, { entity: { name: 'Account' }, schema: SCHEMA })
})

const send = (handler: Handler | undefined, method: string, path: string, body?: string) =>
  call(deps, handler as Handler, {
    method,
    path: `/api/entities/Account${path}`,
    body,
    headers,
    params: { entityName: 'Account', ...(/\d/.test(path) ? { id: path.slice(1) } : {}) },
  })

/** One number in every position that keeps all its digits. */
const record = (id: number, digits: string) =>
  `{"id":${id},"big":${digits},"exact":${digits}.25,"note":{"of":[${digits}]},"more":${digits}}`
const LAST = '9007199254740993'
const NEXT = '9007199254740995'

const stored = async (id: number) => (await send(one.GET, 'GET', `/${id}`)).text

test('records keep all digits of the numbers they are made and changed with', async () => {
  expect((await send(entity.POST, 'POST', '', record(1, LAST))).status).toBe(201)
  expect((await send(batch.POST, 'POST', '/batch', `[${record(2, LAST)}]`)).status).toBe(201)
  const kept = [`"big":${LAST},`, `"exact":${LAST}.25,`, `{"of": [${LAST}]}`, `"more": ${LAST}`]
  for (const id of [1, 2]) {
    const text = await stored(id)
    for (const part of kept) expect(text).toContain(part)
  }
  expect((await send(one.PATCH, 'PATCH', '/1', `{"note":-${NEXT}}`)).status).toBe(200)
  expect((await send(one.PUT, 'PUT', '/2', record(2, NEXT))).status).toBe(200)
  expect(await stored(1)).toContain(`"note":-${NEXT}`)
  expect(await stored(2)).toContain(`"more": ${NEXT}`)
})

test('a whole number may be written with a point', async () => {
  const sent = `{"id":1,"big":${LAST}.0}`
  expect((await send(entity.POST, 'POST', '', sent)).status).toBe(201)
  expect(await stored(1)).toContain(`"big":${LAST},`)
  const refused = await send(entity.POST, 'POST', '', `{"big":${LAST}.5}`)
  expect(refused).toMatchObject({ status: 400, body: { validations: [{ field: 'big' }] } })
})

test('zeros at the end of a fraction are kept in text, where they say something, and not in JSON numbers', async () => {
  const sent = '[{"id":1,"exact":"1.10"},{"id":2,"exact":1.10}]'
  expect((await send(batch.POST, 'POST', '/batch', sent)).status).toBe(201)
  expect(await stored(1)).toContain('"exact":1.10,')
  expect(await stored(2)).toContain('"exact":1.1,')
})

test('the audit log keeps the digits of what changed', async () => {
  await send(entity.POST, 'POST', '', `{"id":1,"big":9007199254740992,"note":[9007199254740992]}`)
  await send(one.PATCH, 'PATCH', '/1', `{"big":${LAST},"note":[${LAST}]}`)
  const [entry] = await deps.db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1)
  expect(entry?.details).toEqual({
    changed: {
      big: { before: '9007199254740992', after: LAST },
      note: { before: '[9007199254740992]', after: `[${LAST}]` },
    },
  })
})

test('a double is rounded as doubles are, a whole number must be safe', async () => {
  const sent = '{"id":1,"near":40.712775999999998,"whole":7}'
  expect((await send(entity.POST, 'POST', '', sent)).body.data[0]).toMatchObject({
    near: 40.712776,
  })
  const refused = await send(entity.POST, 'POST', '', `{"whole":${LAST}}`)
  expect(refused).toMatchObject({ status: 400, body: { validations: [{ field: 'whole' }] } })
  const far = await send(entity.POST, 'POST', '', '{"note":[1e999],"exact":1e999}')
  expect(far.body.validations).toMatchObject([
    { field: 'exact', error: expect.stringContaining('must be a number') },
    { field: 'note', error: 'is a number out of range' },
  ])
})

test('conditions mean the very number, in searches and deletions', async () => {
  const records = `[${record(1, '9007199254740992')},${record(2, LAST)},${record(3, '9007199254740994')}]`
  expect((await send(batch.POST, 'POST', '/batch', records)).status).toBe(201)
  for (const field of ['big', 'more', 'note.of.0']) {
    const query = `[{"field":"${field}","operator":"eq","value":${LAST}}]`
    const found = await send(search.POST, 'POST', '/search', `{"fields":["id"],"query":${query}}`)
    expect(found.body.data, field).toEqual([{ id: 2 }])
  }
  const query = `[{"field":"big","operator":"in","value":[${LAST}]}]`
  const body = `{"entity":"Account","query":${query}}`
  expect((await send(batch.DELETE, 'DELETE', '/batch', body)).body.data).toEqual([{ effected: 1 }])
  const rest = await send(search.POST, 'POST', '/search', '{"fields":["id"]}')
  expect(rest.body.data).toEqual([{ id: 1 }, { id: 3 }])
})

test.each([
  ['small', 1],
  ['read in slices', 5_000],
])('a %s data file keeps all digits', async (_, count) => {
  const records = Array.from({ length: count }, (_, index) => record(index + 1, LAST)).join(',\n')
  const files = pluginFiles({ Account: { files: { 'data.json': `[${records}]` } } })
  const { body } = await upload(deps, files)
  expect(body.data).toMatchObject({ successCount: 1, failedCount: 0 })
  const text = await stored(count)
  expect(text).toContain(`"big":${LAST},"exact":${LAST}.25`)
  expect(text).toContain(`{"of": [${LAST}]},"persistenceId":"${count}","more": ${LAST}`)
})

test('more nesting than anybody needs is malformed, not a failure of ours', async () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  for (const body of [`{"note":${deep}}`, deep]) {
    const { status, body: response } = await send(entity.POST, 'POST', '', body)
    expect(status).toBe(400)
    expect(response.error).toContain('Nested deeper than 500 levels at line 1')
  }
})
