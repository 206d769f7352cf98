import { expect, test } from 'vitest'
import { z } from 'zod'
import { AppError } from '@/lib/errors'
import { route } from '@/lib/http/route'
import { listOf, pageOf } from '@/lib/openapi/responses'
import { recordFields } from '@/lib/records/contract'
import { entityParams } from '@/lib/search/contract'
import { freshDeps } from './deps'
import { installTestEntity } from './entity'
import { call } from './request'

const deps = freshDeps()

const person = z.object({ name: z.string() })
const documented = {
  id: 'readPerson',
  summary: 'Read a person',
  responses: { 200: listOf(person) },
}

const responding = (data: unknown[], status = 200) =>
  route({ doc: documented, access: 'public', handle: async () => ({ data, status }) })

const ask = (handler: ReturnType<typeof responding>) => call(deps, handler, { path: '/api/person' })

test('accepts the responses that the document describes', async () => {
  expect((await ask(responding([{ name: 'Jane' }]))).status).toBe(200)
})

test.each([
  ['a value of another type', [{ name: 1 }]],
  ['a field too few', [{}]],
  ['an undocumented field', [{ name: 'Jane', password: 'secret' }]],
])('fails on %s', async (_, data) => {
  await expect(ask(responding(data))).rejects.toThrow('readPerson (GET), 200')
})

test('fails on a status that the document lacks', async () => {
  await expect(ask(responding([{ name: 'Jane' }], 201))).rejects.toThrow('returned 201')
  const conflict = route({
    doc: documented,
    access: 'public',
    handle: async () => {
      throw new AppError('conflict', 'It is taken')
    },
  })
  await expect(ask(conflict)).rejects.toThrow('returned 409')
})

test('fails on another media type', async () => {
  const text = route({
    doc: documented,
    access: 'public',
    handle: async () => new Response('Jane'),
  })
  await expect(ask(text)).rejects.toThrow('text/plain')
})

test('fails on a record that is not as its entity has it', async () => {
  await installTestEntity(deps, {
    entity: { name: 'Person' },
    schema: { properties: [{ name: 'age', type: 'integer' }] },
  })
  const search = (data: unknown[]) =>
    call(
      deps,
      route({
        doc: { id: 'searchRecords', summary: 'Search', responses: { 200: pageOf(recordFields) } },
        access: 'public',
        params: entityParams,
        handle: async () => ({
          data,
          pagination: { current: 0, total: 1, pages: 1, first: true, last: true },
        }),
      }),
      { path: '/api/entities/Person', params: { entityName: 'Person' } },
    )
  expect((await search([{ age: 7, persistenceId: '1' }])).status).toBe(200)
  await expect(search([{ age: 'seven', persistenceId: '1' }])).rejects.toThrow('/data/0/age')
})
