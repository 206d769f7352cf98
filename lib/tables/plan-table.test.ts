import { describe, expect, test } from 'vitest'
import type { Entity, EntityDefinition, SchemaDefinition } from '@/lib/definitions/definition'
import { parseEntityDefinition } from '@/lib/definitions/parse-entity-definition'
import { parseSchemaDefinition } from '@/lib/definitions/parse-schema-definition'
import { mergeEntity } from '@/lib/registry/registry-rows'
import type { Json } from '@/lib/values/json'
import { describeStep } from './describe-step'
import { columnsAfter, planTable } from './plan-table'

function entity(properties: object[] | null, more: object = {}, schemaMore: object = {}): Entity {
  const parsed = parseEntityDefinition({ name: 'Thing', ...more } as Json)
  const schema =
    properties && parseSchemaDefinition({ name: 'Thing', properties, ...schemaMore } as Json)
  const definition = (parsed as { definition: EntityDefinition }).definition
  const row = {
    name: 'Thing',
    pluginId: 'p',
    definition,
    tableSchema: definition.table.schema,
    tableName: definition.table.name,
    extraFields: ['old'],
  }
  return mergeEntity(row, schema && (schema as { definition: SchemaDefinition }).definition)
}

const stored = (before: Entity) => ({
  columns: columnsAfter([], planTable(null, before)),
  entity: before,
})
const words = (before: Entity, after: Entity) => planTable(stored(before), after).map(describeStep)

const text = (name: string, more: object = {}) => ({ name, type: 'string', ...more })

describe('a plan', () => {
  test('makes the table of a new entity, keys first, undeclared fields last', () => {
    const after = entity([text('a'), { name: 'b', type: 'json' }], {
      pks: [{ key: 'b2', strategy: 'UUID' }],
      auditable: true,
    })
    const steps = planTable(null, after)
    expect(steps.map(({ type }) => type)).toEqual(['create-table'])
    expect(columnsAfter([], steps).map(({ name }) => name)).toEqual([
      'b2',
      'a',
      'b',
      'CreatedAt',
      'CreatedBy',
      'LastUpdatedAt',
      'LastUpdatedBy',
      '$extra',
    ])
  })

  test('is empty when nothing changes', () => {
    const same = () => entity([text('a', { indexed: true, required: true, enum: ['x'] })])
    expect(words(same(), same())).toEqual([])
  })

  test('is empty for changes that no table shows', () => {
    const before = entity([text('a', { maxLength: 5, min: null, enum: ['x'] })])
    const after = entity([text('a', { maxLength: 6, label: 'A', enum: ['y', 'x'] })], {
      updateStrategy: 'Replace',
      description: 'Other',
    })
    expect(words(before, after)).toEqual([])
  })

  test.each<[string, object | null, object | null, string[]]>([
    ['a new property', null, text('a'), ['Add the column a (text)']],
    [
      'a new property of a name that records have already',
      null,
      text('old'),
      ['Add the column old (text)', 'Move undeclared values of old'],
    ],
    [
      'a new required one with a default',
      null,
      text('a', { required: true, default: 'x' }),
      ['Add the column a', 'Set a to "x"', 'Require a value for a'],
    ],
    ['one that is dropped', text('a'), null, ['Stop serving a of entities.thing']],
    [
      'a required one that is dropped',
      text('a', { required: true }),
      null,
      ['Stop serving a', 'Allow records without a'],
    ],
    [
      'an indexed one that is dropped',
      text('a', { indexed: true }),
      null,
      ['Drop the index', 'Drop the index', 'Stop serving a'],
    ],
    [
      'integers that grow',
      { name: 'a', type: 'smallint' },
      { name: 'a', type: 'integer' },
      ['Widen the column a of entities.thing from smallint to bigint'],
    ],
    [
      'integers that become decimals',
      { name: 'a', type: 'integer' },
      { name: 'a', type: 'decimal' },
      ['Widen'],
    ],
    [
      'dates that get a time',
      { name: 'a', type: 'date' },
      { name: 'a', type: 'datetime' },
      ['Widen'],
    ],
    ['numbers that become text', { name: 'a', type: 'number' }, text('a'), ['Widen']],
    ['text that becomes JSON', text('a'), { name: 'a', type: 'json' }, ['Widen']],
    ['text that becomes a number', text('a'), { name: 'a', type: 'integer' }, ['Change']],
    [
      'decimals that become integers',
      { name: 'a', type: 'decimal' },
      { name: 'a', type: 'integer' },
      ['Change'],
    ],
    [
      'JSON that becomes a list',
      { name: 'a', type: 'json' },
      { name: 'a', type: 'array' },
      ['Check the values of a in entities.thing against the new kind'],
    ],
    ['a list that becomes JSON', { name: 'a', type: 'array' }, { name: 'a', type: 'json' }, []],
    ['text of another type of text', text('a'), { name: 'a', type: 'varchar' }, []],
    [
      'text that becomes an email',
      text('a'),
      { name: 'a', type: 'email' },
      ['Check the values of a in entities.thing against the new format'],
    ],
    ['a rule that tightens', text('a', { maxLength: 5 }), text('a', { maxLength: 4 }), ['Check']],
    ['a rule that loosens', text('a', { maxLength: 5 }), text('a'), []],
    [
      'a minimum that rises',
      { name: 'a', type: 'integer', min: 1 },
      { name: 'a', type: 'integer', min: 2 },
      ['Check'],
    ],
    [
      'a minimum that falls',
      { name: 'a', type: 'integer', min: 2 },
      { name: 'a', type: 'integer', min: 1 },
      [],
    ],
    ['a length that rises', text('a', { maxLength: 5 }), text('a', { maxLength: 9 }), []],
    [
      'an enum that shrinks',
      text('a', { enum: ['x', 'y'] }),
      text('a', { enum: ['x'] }),
      ['Check'],
    ],
    ['a new requirement', text('a'), text('a', { required: true }), ['Require a value for a']],
    [
      'a new requirement with a default',
      text('a'),
      text('a', { required: true, default: 'x' }),
      ['Set a to "x"', 'Require a value for a'],
    ],
    [
      'a requirement that ends',
      text('a', { required: true }),
      text('a'),
      ['Allow records without a'],
    ],
    [
      'a unique that begins',
      text('a'),
      text('a', { unique: true }),
      ['Add the unique index on entities.thing (a)'],
    ],
    ['a unique that ends', text('a', { unique: true }), text('a'), ['Drop the unique index']],
    [
      'search that begins',
      text('a'),
      text('a', { searchable: true }),
      ['Add the index on entities.thing (a) for contents'],
    ],
  ])('for %s', (_, before, after, expected) => {
    const found = words(entity(before ? [before] : []), entity(after ? [after] : []))
    expect(found).toHaveLength(expected.length)
    for (const [at, beginning] of expected.entries()) expect(found[at]).toContain(beginning)
  })

  test('does not look for undeclared values where there can be none', () => {
    const closed = { additionalProperties: false }
    expect(words(entity([], {}, closed), entity([text('old')], {}, closed))).toHaveLength(1)
  })

  test('checks for undeclared values when they are forbidden', () => {
    const after = entity([], {}, { additionalProperties: false })
    expect(words(entity([]), after)).toEqual([
      'Check that no record of entities.thing has undeclared fields',
    ])
  })

  test('reuses the column of a property that is declared again', () => {
    const first = stored(entity([text('a')]))
    const removed = entity([])
    const columns = columnsAfter(first.columns, planTable(first, removed))
    expect(columns).toEqual(first.columns)
    const types = planTable({ columns, entity: removed }, entity([text('a')])).map(
      ({ type }) => type,
    )
    expect(types).toEqual([])
  })

  test.each<[string, object, object]>([
    [
      'another key',
      { pks: [{ key: 'a', strategy: 'Fixed' }] },
      { pks: [{ key: 'b', strategy: 'Fixed' }] },
    ],
    ['a key more', { pks: [{ key: 'a' }] }, { pks: [{ key: 'a' }, { key: 'b' }] }],
    ['another table', {}, { dbTable: 'others' }],
    ['another schema', {}, { dbSchema: 'others' }],
  ])('recreates the table for %s, if it is empty', (_, before, after) => {
    const steps = planTable(stored(entity([], before)), entity([], after))
    expect(steps.slice(0, 2).map(({ type }) => type)).toEqual(['require-empty', 'drop-table'])
    expect(columnsAfter([], steps)).toEqual(stored(entity([], after)).columns)
  })

  test('changes the column of a key in place, and how its values are generated', () => {
    const keyed = (type: string) => entity([], { pks: [{ key: 'a', type }] })
    const [before, after] = [keyed('number'), keyed('string')]
    const steps = planTable(stored(before), after)
    expect(steps.map(({ type }) => type)).toEqual([
      'drop-generated',
      'change-type',
      'add-generated',
    ])
    expect(columnsAfter(stored(before).columns, steps)).toEqual(stored(after).columns)
  })
})
