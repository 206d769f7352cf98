import { describe, expect, test } from 'vitest'
import { parseEntityDefinition } from '@/lib/definitions/parse-entity-definition'
import { parseSchemaDefinition } from '@/lib/definitions/parse-schema-definition'
import { mergeEntity } from '@/lib/registry/registry-rows'
import type { Json } from '@/lib/values/json'
import { desiredReferences } from '../plan-references'
import { MAX_REFERENCE_RECORDS, planPlacement } from './plan-placement'
import type { Candidate } from './resolve-placement'

type Written = { name: string; properties?: object[]; [key: string]: unknown }

function candidate({ properties = [], ...written }: Written, more: Partial<Candidate> = {}) {
  const parsed = parseEntityDefinition(written as Json)
  const schema = parseSchemaDefinition({ name: written.name, properties } as Json)
  if ('faults' in parsed || 'faults' in schema) throw new Error(JSON.stringify([parsed, schema]))
  const { definition } = parsed
  const { table } = definition
  const row = { name: definition.name, pluginId: null, definition, extraFields: [] }
  const entity = mergeEntity(
    { ...row, tableSchema: table.schema, tableName: table.name },
    schema.definition,
  )
  return { entity, present: null, records: 0, isChanged: true, isRebuilt: false, ...more }
}

const plan = (candidates: Candidate[], distributesByKey = false) => {
  const { enforced } = desiredReferences(candidates.map(({ entity }) => entity))
  const { moves, faults } = planPlacement(candidates, enforced, { distributesByKey })
  const words = moves.map(({ entity, wanted }) => `${entity.name} ${wanted.type}`)
  return { moves: words, faults: faults.map(({ message }) => message) }
}

const LOCAL = { present: { type: 'local' }, isChanged: false } as const
const to = (name: string, entity: string, more = {}) => ({
  name,
  type: 'bigint',
  meta: { reference: { entity, field: 'id', ...more } },
})
const by = (key: string) => ({ distribution: { by: key } })

describe('where entities are kept', () => {
  test('is where they are, and locally for a new one, unless a definition says otherwise', () => {
    const kept = candidate({ name: 'A' }, { present: { type: 'reference' } })
    expect(plan([kept, candidate({ name: 'B' }, LOCAL), candidate({ name: 'C' })])).toEqual({
      moves: [],
      faults: [],
    })
  })

  test('is not with each other in a circle', () => {
    const kept = (name: string, other: string) =>
      candidate({ name, distribution: { by: 'id', with: other } })
    expect(plan([kept('A', 'B'), kept('B', 'C'), kept('C', 'A'), kept('D', 'A')]).faults).toEqual([
      'A is to be with B is to be with C is to be with A: one of them must be distributed by itself',
      'B is to be with C is to be with A is to be with B: one of them must be distributed by itself',
      'C is to be with A is to be with B is to be with C: one of them must be distributed by itself',
    ])
  })

  test('does not leave the nodes while others are kept there with it', () => {
    const present = { type: 'distributed', by: 'id', shards: 8, colocation: 1 } as const
    const left = candidate({ name: 'A', distribution: 'local' }, { present })
    const kept = candidate(
      { name: 'B', distribution: { by: 'id', with: 'A' } },
      { present, isChanged: false },
    )
    expect(plan([left, kept]).faults).toEqual(['B is to be kept with A, which is not distributed'])
  })

  test('is not on nodes while triggers write what happens to the records', () => {
    const leaving = (log: string) =>
      `leave out "${log}", or keep its records there ("distribution": "local")`
    const distributed = (more: object) =>
      plan([candidate({ name: 'A', ...by('id'), ...more })]).faults
    expect(distributed({ events: true })).toEqual([
      `A keeps events, which triggers write on the coordinator: ${leaving('events')}`,
    ])
    expect(distributed({ history: true })).toEqual([
      `A keeps a history, which triggers write on the coordinator: ${leaving('history')}`,
    ])
    const local = candidate({ name: 'A', events: true, distribution: 'local' })
    expect(plan([local], true)).toEqual({ moves: [], faults: [] })
  })

  test('is not on nodes by a small number', () => {
    const properties = [{ name: 'id', type: 'smallint' }]
    expect(plan([candidate({ name: 'A', properties })], true).moves).toEqual(['A reference'])
    expect(plan([candidate({ name: 'A', properties, ...by('id') })]).faults).toEqual([
      "A can't be distributed by id: it is a smallint, of too few values: make it an integer",
    ])
  })

  test('is where the entity goes that they are kept with', () => {
    const at = (colocation: number) =>
      ({ present: { type: 'distributed', by: 'id', shards: 2, colocation } }) as const
    const customer = candidate({ name: 'Customer', ...by('id') }, { ...at(1), isRebuilt: true })
    const beside = (name: string, other: string) => ({
      name,
      distribution: { by: 'id', with: other },
    })
    const others = [
      candidate(beside('Line', 'Order'), { ...at(1), isChanged: false }),
      candidate(beside('Order', 'Customer'), { ...at(1), isChanged: false }),
      candidate({ name: 'Else', ...by('id') }, { ...at(2), isChanged: false }),
    ]
    expect(plan([...others, customer]).moves).toEqual([
      'Customer distributed',
      'Order distributed',
      'Line distributed',
    ])
  })

  test('by its key, where the database says so and no rule forbids it', () => {
    const unique = [{ name: 'code', type: 'text', meta: { unique: true } }]
    const all = [
      candidate({ name: 'A' }),
      candidate({ name: 'B', properties: unique }),
      candidate({ name: 'C', properties: [to('a', 'A')] }),
      candidate({ name: 'D', properties: [to('parent', 'D')] }),
    ]
    expect(plan(all, true)).toEqual({
      moves: ['A reference', 'B reference', 'D reference', 'C distributed'],
      faults: [],
    })
  })

  test('what distributed records refer to is copied to every node, and what that refers to', () => {
    const all = [
      candidate({ name: 'Order', properties: [to('city', 'City')], ...by('id') }),
      candidate({ name: 'City', properties: [to('country', 'Country')] }, LOCAL),
      candidate({ name: 'Country' }, LOCAL),
    ]
    expect(plan(all).moves).toEqual(['City reference', 'Country reference', 'Order distributed'])
  })

  test('not when that is large', () => {
    const order = candidate({ name: 'Order', properties: [to('city', 'City')], ...by('id') })
    const city = candidate({ name: 'City' }, { ...LOCAL, records: MAX_REFERENCE_RECORDS + 1 })
    expect(plan([order, city]).faults[0]).toContain('"distribution": "reference"')
  })
})

describe('is refused', () => {
  const customer = candidate({ name: 'Customer', ...by('id') })
  test.each([
    [
      'a unique field',
      { properties: [{ name: 'no', type: 'text', meta: { unique: true } }] },
      'no',
    ],
    ['fields that are unique together', { unique: [{ fields: ['a', 'b'] }] }, 'a, b are unique'],
    [
      'a reference to itself',
      { properties: [to('parent', 'Order')] },
      'whose records are on other',
    ],
    ['an entity on its own', { properties: [to('customer', 'Customer')] }, 'distributed elsewhere'],
  ])('%s', (_, part, reason) => {
    const properties = ['a', 'b'].map((name) => ({ name, type: 'text' }))
    const order = candidate({ name: 'Order', properties, ...by('id'), ...part })
    expect(plan([customer, order]).faults.join()).toContain(reason)
  })

  test.each([
    ['cityId', {}, ['id']],
    ['place', { with: { cityId: 'area' } }, ['id', 'area']],
  ])(
    '%s that is emptied, where the reference holds the key of the distribution',
    (name, more, keys) => {
      const number = (key: string) => ({ name: key, type: 'bigint' })
      const fixed = (key: string) => ({ key, strategy: 'Fixed', type: 'number' })
      const reference = to(name, 'City', { onDelete: 'setNull', ...more })
      const order = {
        pks: ['cityId', 'id'].map(fixed),
        properties: [...(name === 'cityId' ? [] : [number('cityId')]), reference],
      }
      const city = { pks: keys.map(fixed), properties: keys.map(number), distribution: 'reference' }
      const all = [
        candidate({ name: 'Order', ...order, ...by('cityId') }),
        candidate({ name: 'City', ...city }),
      ]
      expect(plan(all).faults.join()).toContain('where the reference holds cityId')
    },
  )

  test('a reference to the same entity that is emptied and holds the key of the distribution', () => {
    const pks = ['area', 'id'].map((key) => ({ key, strategy: 'Fixed', type: 'number' }))
    const parent = (more: object) => to('parent', 'Order', { with: { area: 'area' }, ...more })
    const order = (more: object) =>
      candidate({ name: 'Order', pks, properties: [parent(more)], ...by('area') })
    expect(plan([order({})]).faults).toEqual([])
    expect(plan([order({ onDelete: 'setNull' })]).faults.join()).toContain('parent is emptied')
  })

  test('a key of another type than that of the records beside it', () => {
    const pks = [{ key: 'id', strategy: 'UUID' }]
    const order = { name: 'Order', pks, distribution: { by: 'id', with: 'Customer' } }
    expect(plan([customer, candidate(order)]).faults[0]).toContain('only equal types')
  })
})
