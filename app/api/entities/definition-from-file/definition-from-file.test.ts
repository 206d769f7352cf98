import { expect, test } from 'vitest'
import { importsOfUser } from '@/app/api/imports/testing/imports-api'
import { MAX_PROPERTIES } from '@/lib/definitions/parse-schema-definition'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import { POST } from './route'

const deps = freshDeps()

async function propose(file: string | Uint8Array, name: string, query = '', roles = ['ADMIN']) {
  const headers = { authorization: `Bearer ${await testKey(deps, roles)}` }
  const body = new FormData()
  body.set('file', new File([file as BlobPart], name))
  const path = `/api/entities/definition-from-file?${query}`
  return call(deps, POST, { method: 'POST', path, body, headers })
}

const CSV = `code,Full name,E-Mail,zip,amount,count,active,born,seen,page,meta,level,Full-name
a1,Ann,ann@example.com,01234,1.50,1,true,2001-02-03,2024-01-02T03:04:05Z,https://example.com,"{""a"":1}",gold,x
b2,Bob,bob@example.com,99999,9007199254740993.25,-2,no,1999-12-31,2024-01-02 03:04:05,https://example.com/b,{},silver,
c3,Cid,cid@example.com,00001,3,,yes,,2024-05-06T07:08:09+02:00,,,gold,
d4,Dan,dan@example.com,12345,4,7,false,,2024-05-06T07:08:09+02:00,,,gold,
`

test('types, names, lengths, a key and what is required are found in the rows', async () => {
  const { status, body } = await propose(CSV, 'open orders.2024.csv')
  expect(status).toBe(200)
  const [found] = body.data
  expect(found.entity).toEqual({
    name: 'OpenOrders',
    pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }],
  })
  expect(found.schema).toEqual({
    name: 'OpenOrders',
    additionalProperties: false,
    properties: [
      { name: 'code', type: 'string', maxLength: 50 },
      { name: 'fullName', type: 'string', label: 'Full name', required: true, maxLength: 50 },
      { name: 'eMail', type: 'email', label: 'E-Mail', required: true },
      { name: 'zip', type: 'string', required: true, maxLength: 50 },
      { name: 'amount', type: 'decimal', required: true },
      { name: 'count', type: 'integer' },
      { name: 'active', type: 'boolean', required: true },
      { name: 'born', type: 'date' },
      { name: 'seen', type: 'datetime', required: true },
      { name: 'page', type: 'url' },
      { name: 'meta', type: 'object' },
      { name: 'level', type: 'string', required: true, maxLength: 50 },
      { name: 'fullName2', type: 'string', label: 'Full-name', maxLength: 50 },
    ],
  })
  expect(found).toMatchObject({ format: 'csv', rows: 4 })
  expect(found.columns[11]).toEqual({
    ...{ column: 'level', property: 'level', samples: ['gold', 'silver'] },
    ...{ filled: true, unique: false, values: ['gold', 'silver'] },
  })
  expect(found.columns[3]).toMatchObject({ values: null, unique: true })
})

test('a file is imported whole into what was proposed for it', async () => {
  const { body } = await propose(CSV, 'orders.csv')
  const { entity, schema } = body.data[0]
  await installTestEntity(deps, { entity, schema })
  const mine = await importsOfUser(deps)
  const sent = { fileName: 'orders.csv', entityName: entity.name }
  expect(await mine.result(CSV, sent)).toMatchObject({ status: 'DONE', created: 4, refused: 0 })
})

test('JSON keeps its own types', async () => {
  const records = [
    { id: 7, n: 9007199254740993n, price: 1.25, tags: ['a'], at: { x: 1 }, mixed: 1, text: '5' },
    { id: 8, n: 1n, price: 2, tags: [], at: {}, mixed: 'a', text: '6' },
  ]
  const text = records
    .map((record) =>
      JSON.stringify(record, (_, value) => (typeof value === 'bigint' ? `n:${value}` : value)),
    )
    .join('\n')
    .replace(/"n:(\d+)"/g, '$1')
  const { body } = await propose(text, 'things.jsonl')
  expect(body.data[0].entity.pks).toEqual([
    { key: 'id', strategy: 'AutoIncrement', type: 'number' },
  ])
  expect(body.data[0].schema.properties).toMatchObject([
    { name: 'id', type: 'integer' },
    { name: 'n', type: 'decimal' },
    { name: 'price', type: 'decimal' },
    { name: 'tags', type: 'array' },
    { name: 'at', type: 'object' },
    { name: 'mixed', type: 'json' },
    { name: 'text', type: 'string' },
  ])
})

test.each([
  ['engine users.csv', 'ImportedEngineUsers'],
  ['2024.csv', 'Imported2024'],
  ['Übersicht.csv', 'Ubersicht'],
  ['列表.csv', 'Imported'],
])('%s is called %s', async (name, entity) => {
  const { body } = await propose('toString,persistenceId,$a,列\n1,2,3,4\n', name)
  expect(body.data[0].entity.name).toBe(entity)
  const { entity: definition, schema } = body.data[0]
  await installTestEntity(deps, { entity: definition, schema })
})

test('what can not be read, is too wide or not allowed is refused', async () => {
  expect((await propose('name\n"x', 'a.csv')).body.error).toContain('Line 2')
  expect((await propose('name\nx\n"y', 'a.csv', 'cut=true')).body.data[0].rows).toBe(1)
  const wide = Array.from({ length: MAX_PROPERTIES + 1 }, (_, n) => `c${n}`).join()
  expect((await propose(wide, 'a.csv')).body.error).toContain('at most 1,000 properties')
  expect((await propose(CSV, 'a.csv', '', ['EDITOR'])).status).toBe(403)
})
