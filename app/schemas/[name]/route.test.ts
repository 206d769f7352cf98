import Ajv from 'ajv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FILE_SCHEMA_NAMES, type FileSchemaName, fileSchema } from '@/lib/archives/file-schema'
import { parseComponentManifest, parsePluginManifest } from '@/lib/archives/manifests'
import { parseEntityDefinition } from '@/lib/definitions/parse-entity-definition'
import { parseSchemaDefinition } from '@/lib/definitions/parse-schema-definition'
import { parseTypeDefinition } from '@/lib/definitions/parse-type-definition'
import { parseIndex } from '@/lib/plugin-index/parse-index'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import type { Json } from '@/lib/values/json'
import { GET, POST } from './route'

const deps = freshDeps()

const read = (name: string, headers = {}) =>
  call(deps, GET, { path: `/schemas/${name}`, params: { name }, headers })

describe('GET /schemas/:name', () => {
  test.each(FILE_SCHEMA_NAMES)('%s.json is public and may be kept', async (name) => {
    const { status, headers, text } = await read(`${name}.json`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/schema+json; charset=utf-8')
    expect(headers.get('cache-control')).toBe('public, max-age=3600')
    expect(JSON.parse(text)).toEqual(fileSchema(name))
    const again = await read(`${name}.json`, { 'if-none-match': headers.get('etag') ?? '' })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test.each(['nope.json', 'entity', 'entity.JSON', '../entity.json', 'constructor.json'])(
    '%s is not found',
    async (name) => {
      expect(await read(name)).toMatchObject({
        status: 404,
        body: { code: 404, error: expect.stringContaining('plugin.json, component.json') },
      })
    },
  )

  test('other methods are refused in the envelope', async () => {
    const response = await call(deps, POST, { method: 'POST', path: '/schemas/entity.json' })
    expect(response).toMatchObject({ status: 405, body: { code: 405 } })
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })
})

const PARSERS: Record<FileSchemaName, (json: Json) => unknown> = {
  plugin: (json) => parsePluginManifest(Buffer.from(JSON.stringify(json)), 'engineplugin.json'),
  component: parseComponentManifest,
  entity: (json) => sound(parseEntityDefinition(json)),
  schema: (json) => sound(parseSchemaDefinition(json)),
  type: (json) => sound(parseTypeDefinition(json)),
  'plugin-index': (json) => parseIndex(Buffer.from(JSON.stringify(json))),
}

function sound(parsed: object): void {
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
}

const ajv = new Ajv({ strict: false, formats: { 'date-time': true } })
const validators = Object.fromEntries(
  FILE_SCHEMA_NAMES.map((name) => [name, ajv.compile(fileSchema(name))]),
)
const isValid = (name: FileSchemaName, json: Json) => validators[name]?.(json)

function isParsed(name: FileSchemaName, json: Json): boolean {
  try {
    PARSERS[name](json)
    return true
  } catch {
    return false
  }
}

const $schema = 'https://engine.example.com/schemas/any.json'
const INDEX = { engineIndex: 1, plugins: [] }
const VERSION = { version: '1.0.0', url: 'shop.zip', sha256: 'a'.repeat(64), bytes: 5 }
const NAME = { name: 'Shoe', type: 'string' }

type Described = { properties: Record<string, object> }

describe('a file schema and the parser', () => {
  test.each<[FileSchemaName, Json]>([
    ['plugin', { $schema, id: 'com.example.shop' }],
    ['plugin', { id: 'a.b', version: 2, author: { name: 'Ann' }, mine: [1], variables: { a: 1 } }],
    ['component', { $schema }],
    ['component', { target: 'Shoe', dependencies: ['Shop'], insertDuplicate: 'upsert', x: 1 }],
    ['entity', { $schema, name: 'Shoe' }],
    ['entity', { name: 'Shoe', type: 'table', insertDuplicate: null, updateStrategy: 'REPLACE' }],
    ['entity', { name: 'Shoe', pks: [{ key: 'a', strategy: 'uuid', type: 'String' }] }],
    ['entity', { name: 'Shoe', indexes: [{ fields: ['a'] }], permissions: { read: null } }],
    ['schema', { $schema, name: 'Shoe', properties: [NAME, { ...NAME, name: 'b', min: null }] }],
    ['schema', { name: 'Shoe', properties: [{ ...NAME, meta: { maxLength: -1, enum: ['a'] } }] }],
    ['schema', { name: 'Shoe', properties: { size: { type: 'integer' } }, required: ['size'] }],
    ['schema', { name: 'Shoe', properties: null, additionalProperties: {} }],
    ['plugin-index', { $schema, ...INDEX, name: 'Acme', mine: 1 }],
    ['plugin-index', { ...INDEX, plugins: [{ id: 'a.b', versions: [VERSION] }] }],
    ['type', { $schema, name: 'Iban', baseType: 'string', meta: { maxLength: 34 } }],
  ])('take %s %j', (name, json) => {
    expect([isParsed(name, json), isValid(name, json)]).toEqual([true, true])
  })

  test.each<[FileSchemaName, Json]>([
    ['plugin', {}],
    ['plugin', { id: 'shop' }],
    ['plugin', { id: 'a.b', image: 'https://example.com/a.png' }],
    ['component', { dependencies: 'Shop' }],
    ['component', { insertDuplicate: 'Overwrite' }],
    ['entity', { name: 5 }],
    ['entity', { name: 'Shoe', pks: { key: 'id' } }],
    ['entity', { name: 'Shoe', indexes: [{ fields: [] }] }],
    ['entity', { name: 'Shoe', updateStrategy: 'Merge' }],
    ['schema', { properties: [] }],
    ['schema', { name: 'Shoe', properties: [{ name: 'a' }] }],
    ['schema', { name: 'Shoe', properties: [{ ...NAME, required: 'yes' }] }],
    ['schema', { name: 'Shoe', properties: [{ ...NAME, meta: { reference: 'Shop' } }] }],
    ['type', { name: 'Iban' }],
    ['plugin-index', { plugins: [] }],
    ['plugin-index', { ...INDEX, engineIndex: 2 }],
    ['plugin-index', { ...INDEX, plugins: [{ id: 'a.b', versions: [] }] }],
    [
      'plugin-index',
      { ...INDEX, plugins: [{ id: 'a.b', versions: [{ ...VERSION, sha256: 'A' }] }] },
    ],
  ])('refuse %s %j', (name, json) => {
    expect([isParsed(name, json), isValid(name, json)]).toEqual([false, false])
  })

  test('agree on words of any case', () => {
    const words = ['Error', 'Upsert', 'Ignore', 'Errors', '']
    const mixed = fc.mixedCase(fc.constantFrom(...words))
    fc.assert(
      fc.property(mixed, (insertDuplicate) => {
        const json = { name: 'Shoe', insertDuplicate }
        expect(isValid('entity', json)).toBe(isParsed('entity', json))
      }),
    )
  })

  test('say what every key means', () => {
    for (const name of FILE_SCHEMA_NAMES) {
      const root = fileSchema(name) as Described & { definitions: { one?: Described } }
      const { properties } = root.definitions.one ?? root
      for (const [key, part] of Object.entries(properties))
        expect({ name, key, ...part }).toHaveProperty('description', expect.any(String))
    }
  })
})
