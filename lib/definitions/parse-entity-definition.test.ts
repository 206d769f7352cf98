import { describe, expect, test } from 'vitest'
import type { Json } from '@/lib/values/json'
import { parseEntityDefinition } from './parse-entity-definition'
import { tableNameOf } from './table-name'

const parse = (json: unknown) => parseEntityDefinition(json as Json)
const parsed = (json: unknown) => {
  const result = parse(json)
  if ('faults' in result) throw new Error(JSON.stringify(result.faults))
  return result.definition
}

describe('an entity definition', () => {
  test('gets every default', () => {
    expect(parsed({ name: 'WorldAirport' })).toEqual({
      name: 'WorldAirport',
      engineSchema: null,
      table: { schema: 'entities', name: 'world_airport' },
      keys: [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }],
      insertDuplicate: 'Error',
      updateStrategy: 'Upsert',
      permissions: { read: true, write: true, update: true, delete: true },
      auditable: false,
      indexes: [],
    })
  })

  test('is the same with null or empty values for what is not set', () => {
    const unset = {
      description: null,
      engineSchema: '',
      dbTable: '',
      dbSchema: null,
      pks: [],
      insertDuplicate: null,
      permissions: { read: null },
      indexes: null,
    }
    expect(parsed({ name: 'A', ...unset })).toEqual(parsed({ name: 'A' }))
  })

  test.each([
    ['LOCAL', 'local'],
    ['reference', 'reference'],
    [{ by: 'id' }, { by: 'id' }],
    [{ by: 'id', with: null }, { by: 'id' }],
    [
      { by: 'id', with: 'Order' },
      { by: 'id', with: 'Order' },
    ],
  ])('keeps the distribution %j', (written, distribution) => {
    expect(parsed({ name: 'A', distribution })).toEqual({ ...parsed({ name: 'A' }), distribution })
    expect(parsed({ name: 'A', distribution: written })).toMatchObject({ distribution })
  })

  test.each(['everywhere', {}, { by: 3 }, ['id']])(
    'refuses the distribution %j',
    (distribution) => {
      expect(parse({ name: 'A', distribution })).toMatchObject({
        faults: [{ pointer: expect.stringMatching('^/distribution') }],
      })
    },
  )

  test('keeps its settings, case-insensitive', () => {
    const definition = parsed({
      name: 'City',
      description: 'Of the world',
      engineSchema: 'Place',
      dbTable: 'Cities',
      dbSchema: 'geo',
      type: 'TABLE',
      pks: [
        { key: 'country', strategy: 'FIXED', type: 'String' },
        { key: 'no', strategy: 'uuid' },
      ],
      insertDuplicate: 'upsert',
      updateStrategy: 'REPLACE',
      permissions: { delete: false },
      auditable: true,
      indexes: [{ fields: ['name', 'country'], unique: true }, { fields: ['name'] }],
      unknown: 1,
    })
    expect(definition).toEqual({
      name: 'City',
      description: 'Of the world',
      engineSchema: 'Place',
      table: { schema: 'geo', name: 'Cities' },
      keys: [
        { key: 'country', strategy: 'Fixed', type: 'string' },
        { key: 'no', strategy: 'UUID', type: 'string' },
      ],
      insertDuplicate: 'Upsert',
      updateStrategy: 'Replace',
      permissions: { read: true, write: true, update: true, delete: false },
      auditable: true,
      indexes: [
        { fields: ['name', 'country'], unique: true },
        { fields: ['name'], unique: false },
      ],
    })
  })

  test.each<[string, object, string]>([
    ['no name', { name: undefined }, '/name'],
    ['a name of the engine', { name: 'EngineUsers' }, '/name'],
    ['one in another case', { name: 'eNGINEThings' }, '/name'],
    ['SQL in its name', { name: 'a"; drop table x' }, '/name'],
    ['a name of 64 characters', { name: 'A'.repeat(64) }, '/name'],
    ['a JavaScript trap for a name', { name: '__proto__' }, '/name'],
    ['SQL in its table', { dbTable: 'a"; drop table x' }, '/dbTable'],
    ['a table of another schema', { dbTable: 'public.x' }, '/dbTable'],
    ['a table name of 64 characters', { dbTable: 'a'.repeat(64) }, '/dbTable'],
    ['the catalog', { dbSchema: 'pg_catalog' }, '/dbSchema'],
    ['the catalog in capitals', { dbSchema: 'PG_TOAST' }, '/dbSchema'],
    ['the information schema', { dbSchema: 'information_schema' }, '/dbSchema'],
    ['our own tables', { dbSchema: 'engine' }, '/dbSchema'],
    ['our own tables in capitals', { dbSchema: 'Engine' }, '/dbSchema'],
    ['our migrations', { dbSchema: 'engine_migrations' }, '/dbSchema'],
    ['a view', { type: 'View' }, '/type'],
    ['an unknown strategy', { pks: [{ key: 'a', strategy: 'Snowflake' }] }, '/pks/0/strategy'],
    ['a number as UUID', { pks: [{ key: 'a', strategy: 'UUID', type: 'number' }] }, '/pks/0/type'],
    ['a key without a name', { pks: [{ strategy: 'UUID' }] }, '/pks/0/key'],
    ['a key of our own', { pks: [{ key: 'persistenceId' }] }, '/pks/0/key'],
    ['a column of every table as key', { pks: [{ key: 'ctid' }] }, '/pks/0/key'],
    ['our column as key', { pks: [{ key: '$extra' }] }, '/pks/0/key'],
    ['a key twice', { pks: [{ key: 'a' }, { key: 'A' }] }, '/pks/1/key'],
    ['nine keys', { pks: [...'abcdefghi'].map((key) => ({ key })) }, '/pks'],
    ['keys that are no list', { pks: { key: 'a' } }, '/pks'],
    ['an unknown rule for duplicates', { insertDuplicate: 'Merge' }, '/insertDuplicate'],
    ['a permission in words', { permissions: { read: 'yes' } }, '/permissions/read'],
    ['an index without fields', { indexes: [{ fields: [] }] }, '/indexes/0/fields'],
    ['a field twice', { indexes: [{ fields: ['a', 'A'] }] }, '/indexes/0/fields/1'],
    ['auditable in words', { auditable: 'yes' }, '/auditable'],
    ['text that cannot be stored', { description: 'a\0' }, '/description'],
  ])('is refused for %s', (_, json, pointer) => {
    const result = parse({ name: 'A', ...json })
    expect(result).toMatchObject({ faults: [{ pointer }] })
  })

  test('is refused with all its faults', () => {
    const result = parse({
      name: 'Engine',
      dbTable: 'a b',
      dbSchema: 'engine',
      pks: [{ key: '1' }],
    })
    const pointers = 'faults' in result ? result.faults.map(({ pointer }) => pointer) : []
    expect(pointers).toEqual(['/name', '/dbTable', '/dbSchema', '/pks/0/key'])
  })

  test.each([[null], [[]], ['text'], [5]])('is refused when it is %j', (json) => {
    expect(parse(json)).toMatchObject({ faults: [{ pointer: '' }] })
  })

  test.each([
    ['Airport', 'airport'],
    ['WorldAirport', 'world_airport'],
    ['HTTPServer2', 'http_server2'],
    ['already_snake', 'already_snake'],
    ['User_Role', 'user_role'],
    ['_Private', '_private'],
    ['A1B2', 'a1_b2'],
    ['A'.repeat(63), 'a'.repeat(63)],
    ['Ab'.repeat(31), 'ab_ab_ab_ab_ab_ab_ab_ab_ab_ab_ab_ab_ab_ab_ab_ab_ab_a_182ffab7f7'],
  ])('of %s has the table %s', (name, table) => {
    expect(tableNameOf(name)).toBe(table)
  })
})
