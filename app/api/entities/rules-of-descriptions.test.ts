import { beforeEach, expect, test } from 'vitest'
import { GET as READ_DOCUMENT } from '@/app/api/openapi.json/route'
import { GET as READ_TYPES } from '@/app/api/types.d.ts/route'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { GET as READ_COLUMNS } from './[entityName]/columns/route'
import { allow, clerk, deps } from './[entityName]/testing/branches'
import { GET as LIST } from './route'

type Headers = Record<string, string>

/** An entity whose covert field stands in all parts of its definition that name fields. */
beforeEach(async () => {
  const reference = { entity: 'Branch', field: 'code' }
  await installTestEntity(deps, {
    entity: {
      name: 'Delivery',
      pks: [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }],
      indexes: [{ fields: ['city', 'covert'] }, { fields: ['city', 'weight'] }],
    },
    schema: {
      additionalProperties: false,
      unique: [{ fields: ['covert', 'weight'], name: 'of coverts' }],
      properties: [
        { name: 'city', type: 'string' },
        { name: 'branch', type: 'string', meta: { required: true, reference } },
        { name: 'covert', type: 'integer', meta: { required: true } },
        { name: 'weight', type: 'integer' },
        { name: 'sum', type: 'integer', meta: { computed: 'covert + weight' } },
      ],
    },
  })
})

const document = (headers: Headers) =>
  call(deps, READ_DOCUMENT, { path: '/api/openapi.json', headers })
const types = (headers: Headers) => call(deps, READ_TYPES, { path: '/api/types.d.ts', headers })
const interfacesIn =
  ({ text }: { text: string }) =>
  (name: string) =>
    text.split(`interface ${name} {`)[1]?.split('}')[0] ?? ''
const entities = (headers: Headers, query = '') =>
  call(deps, LIST, { path: `/api/entities${query}`, headers })
const columns = (headers: Headers, entityName: string) =>
  call(deps, READ_COLUMNS, {
    path: `/api/entities/${entityName}/columns`,
    params: { entityName },
    headers,
  })

test('fields that no record shows are in no description of an entity', async () => {
  await allow({ entities: ['Branch'] })
  await allow({ entities: ['Delivery'], actions: ['*'], fields: { except: ['covert'] } })
  const headers = await clerk()
  const openApi = await document(headers)
  const declarations = await types(headers)
  const list = await entities(headers)
  const described = await columns(headers, 'Delivery')
  for (const { status, text } of [openApi, declarations, list, described]) {
    expect(status).toBe(200)
    expect(text).toContain('weight')
    expect(/covert/.test(text)).toBe(false)
  }
  expect(openApi.body.components.schemas['Delivery.New'].required).toEqual(['branch'])
  expect(openApi.body.components.schemas['Delivery.New'].properties.sum).toEqual({
    readOnly: true,
  })
  expect(declarations.text).toContain('sum: number | null')
  const [, delivery] = list.body.data as { indexes: { fields: string[] }[] }[]
  expect(delivery?.indexes.map(({ fields }) => fields)).toEqual([['city', 'weight']])
  const sum = (described.body.data as { name: string; rules: object }[]).at(-1)
  expect(sum).toMatchObject({ name: 'sum', rules: { computed: '…' } })
  expect((await document(await clerk({}, ['ADMIN']))).text).toContain('covert')
})

test('fields that may be read, but not sent, are in no form of what is sent, and the other way round', async () => {
  await allow({ entities: ['Branch'], fields: ['region'] })
  await allow({ entities: ['Branch'], actions: ['write'], fields: ['budget'] })
  const headers = await clerk()
  const { schemas } = (await document(headers)).body.components
  const namesIn = (name: string) => Object.keys(schemas[name].properties).sort()
  expect(namesIn('Branch.Fields')).toEqual(['code', 'persistenceId', 'region'])
  expect(namesIn('Branch.New')).toEqual(['budget', 'code', 'persistenceId'])
  const interfaceOf = interfacesIn(await types(headers))
  expect(interfaceOf('Branch')).toMatch(/region: string/)
  expect(interfaceOf('Branch')).not.toMatch(/budget/)
  expect(interfaceOf('NewBranch')).toMatch(/budget\?: number/)
  expect(interfaceOf('NewBranch')).not.toMatch(/region/)
})

test('fields that some records show are optional', async () => {
  await allow({ entities: ['Branch'], fields: ['region'] })
  await allow({
    entities: ['Branch'],
    where: [{ field: 'region', operator: 'eq', value: 'north' }],
    fields: ['budget'],
  })
  const headers = await clerk()
  expect(interfacesIn(await types(headers))('Branch')).toContain('budget?: number | null')
  const { schemas } = (await document(headers)).body.components
  expect(schemas['Branch.Fields'].properties).toHaveProperty('budget')
})

test('examples name no hidden record', async () => {
  await allow({ entities: ['Delivery'], actions: ['*'] })
  await allow({
    entities: ['Branch'],
    where: [{ field: 'region', operator: 'eq', value: 'south' }],
  })
  const { paths } = (await document(await clerk())).body
  const { example } = paths['/api/entities/Delivery'].post.requestBody.content['application/json']
  expect(example.branch).toBe('S1')
})

test('numbers of records are those of the records that the caller may read', async () => {
  await allow({ entities: ['Branch'] })
  await allow({ entities: ['Order'], where: [{ field: 'total', operator: 'gte', value: 40 }] })
  const { body } = await entities(await clerk(), '?counts=true')
  const counts = body.data.map(({ name, records }: { name: string; records: unknown }) => [
    name,
    records,
  ])
  expect(counts).toEqual([
    ['Branch', { value: 3, isEstimate: false }],
    ['Order', { value: 2, isEstimate: false }],
  ])
})
