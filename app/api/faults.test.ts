import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Handler, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { freshDeps } from '@/lib/testing/deps'
import { call, testKey } from '@/lib/testing/request'
import { strictObject } from '@/lib/values/wire-types'
import { POST as COUNT } from './entities/[entityName]/count/route'
import { POST as SEARCH } from './entities/[entityName]/search/route'
import { POST as SEARCH_IMAGES } from './images/search/route'
import { POST as INIT } from './users/init/route'
import { GET as ME } from './users/me/route'

const deps = freshDeps()
let headers: Record<string, string>
beforeEach(async () => {
  const key = await testKey(deps, ['ADMIN'])
  headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
})

const init = async (query: string, body: unknown) =>
  (await call(deps, INIT, { method: 'POST', path: `/api/users/init?${query}`, body, headers })).body

const fieldsOf = (body: { validations: { field: string }[] }) =>
  body.validations.map(({ field }) => field)

describe('one response names all errors', () => {
  test('of query and body', async () => {
    const body = await init('generatePassword=maybe&colour=red&a=1&a=2', { email: 'jane' })
    expect(body.code).toBe(400)
    expect(fieldsOf(body).sort()).toEqual(
      ['a', 'colour', 'email', 'generatePassword', 'profile', 'roles'].sort(),
    )
    expect(body.error).toMatch(/^a: Given more than once \(and 5 more\)$/)
  })

  test('of the body by what the rest of the query says', async () => {
    const user = { email: 'jane@example.com', roles: ['EDITOR'], profile: {}, password: 'short' }
    expect(fieldsOf(await init('colour=red&generatePassword=false', user))).toEqual([
      'colour',
      'password',
    ])
    expect(fieldsOf(await init('colour=red&generatePassword=true', user))).toEqual(['colour'])
  })

  test('of the query and of a body that is no JSON', async () => {
    const { validations } = await init('generatePassword=maybe', '{"email":')
    expect(validations).toEqual([
      { field: 'generatePassword', error: 'Must be true or false' },
      { field: '', error: expect.stringContaining('The body is not valid JSON: Expected a value') },
    ])
  })

  test.each<[string, Handler, string, Record<string, string>]>([
    ['POST', SEARCH, '/api/entities/Thing/search?filter=a:eq:1&page=7', { entityName: 'Thing' }],
    ['POST', COUNT, '/api/entities/Thing/count?filter=a:eq:1', { entityName: 'Thing' }],
    ['POST', SEARCH_IMAGES, '/api/images/search?filter=name:eq:a', {}],
    ['GET', ME, '/api/users/me?fields=email', {}],
  ])('of %s %o: unknown parameters', async (method, handler, path, params) => {
    const body = method === 'POST' ? {} : undefined
    const response = await call(deps, handler, { method, path, params, body, headers })
    const unread = [...new URL(path, 'http://a').searchParams.keys()]
    expect(response.status).toBe(400)
    expect(fieldsOf(response.body)).toEqual(unread)
  })

  test('of params, query and body', async () => {
    const handler = route({
      doc: { id: 'test', summary: 'Test', responses: { 200: listOf(z.never()) } },
      access: 'signed-in',
      params: strictObject({ id: z.uuid('must be a UUID') }),
      query: strictObject({ size: z.string().regex(/^\d+$/, 'must be a number') }),
      body: strictObject({ name: z.string('must be a text') }),
      handle: async () => ({ data: [] }),
    })
    const { body } = await call(deps, handler, {
      method: 'POST',
      path: '/api/things/7?size=x',
      params: { id: '7' },
      body: { name: 1 },
      headers,
    })
    expect(body.validations).toEqual([
      { field: 'id', error: 'must be a UUID' },
      { field: 'size', error: 'must be a number' },
      { field: 'name', error: 'must be a text' },
    ])
  })
})

test('a response stays small with any number of errors and long names', async () => {
  const names = Array.from({ length: 1000 }, (_, at) => [`${'x'.repeat(500)}${at}`, 1])
  const body = await init('', Object.fromEntries(names))
  expect(body.validations).toHaveLength(100)
  expect(body.meta.validationCount).toBe(1003)
  expect(JSON.stringify(body).length).toBeLessThan(100_000)
})

describe('credentials come first', () => {
  const bodyThatMustNotBeRead = () =>
    new ReadableStream(
      {
        pull() {
          throw new Error('The body was read')
        },
      },
      { highWaterMark: 0 },
    )

  test.each([
    ['a caller without a credential', 401, {}],
    ['a bad key', 401, { authorization: 'Bearer eng_x' }],
    ['one without the right', 403, null],
  ])('the body of %s is not read', async (_, status, credential) => {
    const authorization = `Bearer ${await testKey(deps, ['VIEWER'])}`
    const request = new Request('http://test.local/api/users/init?x=1', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(credential ?? { authorization }) },
      body: bodyThatMustNotBeRead(),
      duplex: 'half',
    } as RequestInit)
    const response = await INIT(request, { params: Promise.resolve({}) })
    expect(response.status).toBe(status)
    expect(request.bodyUsed).toBe(false)
  })
})
