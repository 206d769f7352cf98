import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { type Files, install, type Log } from '../../testing/plugin-api'

const deps = freshDeps()

/** Installs, which also compares the log with the dry run, and returns warnings by path. */
async function warnings(files: Files, find: (log: Log) => boolean = () => true) {
  const { logs } = await install(deps, files)
  return logs.filter(find).flatMap((log) => log.warnings.map((one) => [log.path, one]))
}

const entity = (definition: object) =>
  pluginFiles({ EngineEntities: { files: { 'A.json': { name: 'A', ...definition } } } })
const schema = (definition: object) =>
  pluginFiles({ EngineSchemas: { files: { 'A.json': { name: 'A', ...definition } } } })
const property = (rules: object) =>
  schema({ properties: [{ name: 'x', type: 'string', ...rules }] })

const ignored = (key: string, meant?: string) =>
  `Unknown key "${key}" is ignored${meant ? `; did you mean "${meant}"?` : ''}`

test.each<[name: string, files: Files, pointer: string, message: string]>([
  ['an entity', entity({ primaryKey: 'id' }), '/primaryKey', ignored('primaryKey', 'pks')],
  ['an entity', entity({ auditible: true }), '/auditible', ignored('auditible', 'auditable')],
  [
    'a key of an entity',
    entity({ pks: [{ key: 'id', stategy: 'Fixed' }] }),
    '/pks/0/stategy',
    ignored('stategy', 'strategy'),
  ],
  [
    'permissions',
    entity({ permissions: { wirte: false } }),
    '/permissions/wirte',
    ignored('wirte', 'write'),
  ],
  [
    'an index',
    entity({ indexes: [{ fields: ['id'], uniqe: true }] }),
    '/indexes/0/uniqe',
    ignored('uniqe', 'unique'),
  ],
  [
    'a schema',
    schema({ additionalPropertys: false }),
    '/additionalPropertys',
    ignored('additionalPropertys', 'additionalProperties'),
  ],
  [
    'a property',
    property({ requierd: true }),
    '/properties/0/requierd',
    ignored('requierd', 'required'),
  ],
  [
    'the meta of a property',
    property({ meta: { maxLenght: 3 } }),
    '/properties/0/meta/maxLenght',
    ignored('maxLenght', 'maxLength'),
  ],
  [
    'a reference',
    property({ reference: { entity: 'A', field: 'id', ondelete: 'cascade' } }),
    '/properties/0/reference/ondelete',
    ignored('ondelete', 'onDelete'),
  ],
  [
    'a key in a later record',
    property({ calculated: '1' }),
    '/properties/0/calculated',
    ignored('calculated'),
  ],
  [
    'a JSON Schema',
    schema({ type: 'object', properties: { x: { type: 'string', maxLenght: 3, title: 'X' } } }),
    '/properties/x/maxLenght',
    ignored('maxLenght', 'maxLength'),
  ],
  [
    'the items of a list',
    schema({
      type: 'object',
      properties: { x: { type: 'array', items: { type: 'string', maxLenght: 3 } } },
    }),
    '/properties/x/items/maxLenght',
    ignored('maxLenght', 'maxLength'),
  ],
  [
    'a property of an object',
    schema({
      properties: {
        type: 'object',
        properties: { a: { type: 'object', properties: { 'b/c': { requierd: true } } } },
      },
    }),
    '/properties/properties/a/properties/b~1c/requierd',
    ignored('requierd', 'required'),
  ],
  [
    'one of several schemas, deep inside',
    schema({
      type: 'object',
      properties: { x: { anyOf: [true, { items: [{ not: { patern: 'a' } }] }] } },
    }),
    '/properties/x/anyOf/1/items/0/not/patern',
    ignored('patern', 'pattern'),
  ],
  [
    'a shared schema',
    schema({ type: 'object', $defs: { a: { enumm: [1] } }, properties: {} }),
    '/$defs/a/enumm',
    ignored('enumm', 'enum'),
  ],
  [
    'a JSON Schema below properties',
    schema({ properties: { type: 'object', requierd: [], properties: { x: { type: 'string' } } } }),
    '/properties/requierd',
    ignored('requierd', 'required'),
  ],
])('a misspelt key of %s is a warning in plan and log', async (_, files, pointer, message) => {
  expect(await warnings(files)).toEqual([
    [expect.stringMatching(/A\.json$/), { index: 0, pointer, message }],
  ])
})

test('misspelt keys of manifests are warnings of the first file below them', async () => {
  const files = pluginFiles(
    {
      A: {
        manifest: { target: 'A', insertDuplicat: 'Upsert', dependson: [], note: 'kept' },
        files: { '1.json': { id: 1 }, '2.json': { id: 2 } },
      },
      EngineEntities: { files: { 'A.json': { name: 'A' } } },
    },
    { varibles: {}, homepage: 'https://example.com' },
  )
  const path = 'A/__manifest__.json'
  expect(await warnings(files)).toEqual([
    [
      'A/1.json',
      {
        pointer: '/varibles',
        message: `engineplugin.json: ${ignored('varibles', 'variables')}`,
      },
    ],
    [
      'A/1.json',
      {
        pointer: '/insertDuplicat',
        message: `${path}: ${ignored('insertDuplicat', 'insertDuplicate')}`,
      },
    ],
    [
      'A/1.json',
      { pointer: '/dependson', message: `${path}: ${ignored('dependson', 'dependencies')}` },
    ],
  ])
})

test('numbers of definitions that lose digits are warnings, and as text defaults keep them', async () => {
  const digits = '0.12345678901234567891'
  const text = `{ "name": "A", "additionalProperties": false, "properties": [
    { "name": "a", "type": "decimal", "max": 9007199254740993, "default": ${digits} },
    { "name": "b", "type": "decimal", "default": "${digits}", "enum": ["${digits}", ${digits}, 1.50] }
  ] }`
  const { logs, body } = await install(
    deps,
    pluginFiles({
      EngineSchemas: { files: { 'A.json': text } },
      EngineEntities: { files: { 'A.json': { name: 'A' } } },
      A: { files: { '1.json': { id: 1 } } },
    }),
  )
  expect(body.data).toMatchObject({ failedCount: 0 })
  const rounded = `${digits} is rounded to 0.12345678901234568, since numbers here have double precision`
  const advice = '; as text a decimal or bigint keeps its digits'
  expect(logs.flatMap((log) => log.warnings)).toEqual([
    {
      index: 0,
      pointer: '/properties/0/max',
      message:
        '9007199254740993 is rounded to 9007199254740992, since numbers here have double precision',
    },
    { index: 0, pointer: '/properties/0/default', message: rounded + advice },
    { index: 0, pointer: '/properties/1/enum/1', message: rounded + advice },
  ])
  const stored = await rows<{ b: string }>(deps.db, sql`select b::text from entities.a`)
  expect(stored).toEqual([{ b: digits }])
})

test('a file that fails keeps its warnings', async () => {
  const files = property({ requierd: true, type: 'strin' })
  const { logs } = await install(deps, files)
  expect(logs).toMatchObject([
    {
      status: 'failed',
      details: [{ pointer: '/properties/0/type' }],
      warnings: [{ pointer: '/properties/0/requierd' }],
    },
  ])
})

test('keys that are known, or private to a tool, are none', async () => {
  const files = pluginFiles({
    EngineTypes: { files: { 'T.json': { name: 'code', baseType: 'string', meta: { max_: 1 } } } },
    EngineEntities: {
      files: {
        'A.json': {
          $schema: 'https://example.com/entity.json',
          _id: 1,
          'x-order': 1,
          name: 'A',
          description: 'a',
          engineSchema: 'A',
          dbTable: 'a',
          dbSchema: 'entities',
          type: 'Table',
          pks: [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }],
          insertDuplicate: 'Error',
          updateStrategy: 'Upsert',
          permissions: { read: true, write: true, update: true, delete: true },
          auditable: false,
          indexes: [{ fields: ['x'], unique: false }],
        },
      },
    },
    EngineSchemas: {
      files: {
        'A.json': {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          $id: 'a',
          title: 'A',
          name: 'A',
          type: 'object',
          additionalProperties: true,
          required: ['x'],
          properties: {
            x: { type: 'string', examples: ['a'], minLength: 1, readOnly: true },
            y: { type: 'array', items: { type: 'string' }, minItems: 1 },
            z: {
              type: 'object',
              default: { maxLenght: 1 },
              examples: [{ requierd: 1 }],
              properties: { requierd: { title: 'Z', const: 'maxLenght' } },
              required: ['requierd'],
            },
          },
        },
      },
    },
  })
  expect(await warnings(files)).toEqual([
    ['EngineTypes/T.json', { index: 0, pointer: '/meta/max_', message: ignored('max_', 'max') }],
  ])
})
