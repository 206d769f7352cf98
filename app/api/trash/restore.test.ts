import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { installTestEntity } from '@/lib/testing/entity'
import type { JsonObject } from '@/lib/values/json'
import { deps, entity, look, removed, restore, run, stored } from './testing/things'

describe('records that cannot be restored', () => {
  test('is named with all digits of its key and values', async () => {
    const number = '9007199254740993'
    const pks = [{ key: 'code', strategy: 'Fixed', type: 'number' }]
    const properties = [
      { name: 'code', type: 'bigint' },
      { name: 'price', type: 'decimal', unique: true },
    ]
    await installTestEntity(deps, { entity: { name: 'Coin', pks }, schema: { properties } })
    await run(`insert into entities.coin (code, price) values (${number}, 1), (1, ${number}.25)`)
    const batchId = await removed({}, 'Coin')
    await run(`insert into entities.coin (code, price) values (${number}, 2), (2, ${number}.25)`)
    for (const { text } of [await restore(batchId), await look(batchId)]) {
      expect(text).toContain(`"key":${number},"reason":"key-taken"`)
      expect(text).toContain(`= ${number} is taken again`)
      expect(text).toContain(`another record has ${number}.25 now`)
    }
  })

  test('stays in the trash with its reason, and the rest is restored', async () => {
    const batchId = await removed()
    await run(`insert into entities.thing (id, name) values (1, 'z'), (77, 'b')`)
    const { body } = await restore(batchId)
    expect(body.data).toEqual([
      {
        restored: 1,
        conflicts: [
          { key: 1, reason: 'key-taken', fields: ['id'], message: expect.stringMatching(/taken/) },
          {
            key: 2,
            reason: 'unique-taken',
            fields: ['name'],
            message: expect.stringMatching(/"b"/),
          },
        ],
      },
    ])
    expect((await look(batchId)).body.data).toEqual([
      expect.objectContaining({ count: 2, conflicts: body.data[0].conflicts }),
    ])
    await run('delete from entities.thing where id in (1, 77)')
    expect((await restore(batchId)).body.data).toEqual([{ restored: 2, conflicts: [] }])
    expect(await stored()).toHaveLength(3)
  })

  test('is named with what it refers to when that is gone', async () => {
    const country = {
      entity: { name: 'Country', pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }] },
    }
    await installTestEntity(deps, country, [{ code: 'IT' }, { code: 'AT' }])
    const reference = { entity: 'Country', field: 'code' }
    const schema = { properties: [{ name: 'country', type: 'string', meta: { reference } }] }
    await installTestEntity(deps, { entity: { name: 'City' }, schema }, [
      { country: 'IT' },
      { country: 'AT' },
      {},
    ])
    const batchId = await removed({}, 'City')
    await run(`delete from entities.country where code = 'AT'`)
    expect((await restore(batchId)).body.data).toMatchObject([
      { restored: 2, conflicts: [{ key: 2, reason: 'reference-gone', fields: ['country'] }] },
    ])
  })

  test('takes along what refers to it', async () => {
    const reference = { entity: 'Node', field: 'id' }
    const schema = { properties: [{ name: 'parent', type: 'bigint', meta: { reference } }] }
    await installTestEntity(deps, { entity: { name: 'Node' }, schema })
    await run('insert into entities.node (id, parent) values (1, null), (2, 1), (3, 2), (4, null)')
    const whole = await removed({}, 'Node')
    expect((await restore(whole)).body.data).toEqual([{ restored: 4, conflicts: [] }])
    const batchId = await removed({}, 'Node')
    await run('insert into entities.node (id, parent) values (2, null)')
    expect((await restore(batchId)).body.data).toMatchObject([
      { restored: 3, conflicts: [{ key: 2, reason: 'key-taken' }] },
    ])
  })
})

describe('an entity that was changed since', () => {
  const change = (changed: object[], more: object = {}) =>
    installTestEntity(deps, { entity, schema: { properties: changed, ...more } })

  test('gets values in its new types, defaults, and fields that were undeclared', async () => {
    const batchId = await removed()
    await change([
      { name: 'name', type: 'string', unique: true },
      { name: 'age', type: 'string' },
      { name: 'undeclared', type: 'object' },
      { name: 'level', type: 'integer', required: true, default: 5 },
    ])
    expect((await restore(batchId)).body.data).toEqual([{ restored: 3, conflicts: [] }])
    const found = await rows<JsonObject>(
      deps.db,
      sql`select age, undeclared, level::int, price::text, "$extra" as extra from entities.thing order by id`,
    )
    expect(found).toEqual([
      {
        age: '1',
        undeclared: { deep: [1, '2'] },
        level: 5,
        price: '12345678901234567890.10',
        extra: null,
      },
      { age: '2', undeclared: null, level: 5, price: null, extra: null },
      { age: null, undeclared: null, level: 5, price: null, extra: null },
    ])
  })

  test('leaves values that do not fit its types', async () => {
    const batchId = await removed()
    await change([{ name: 'name', type: 'integer' }])
    await run(
      `update engine.trash_records set data = data || '{"name": "007"}' where data ->> 'id' = '3'`,
    )
    const { body } = await restore(batchId)
    expect(body.data[0].restored).toBe(1)
    expect(body.data[0].conflicts).toMatchObject([
      { key: 1, reason: 'does-not-fit', fields: ['name'] },
      { key: 2, reason: 'does-not-fit', fields: ['name'] },
    ])
    expect((await stored())[0]?.text).toContain('"name": 7')
  })

  test('leaves values that break its new rules', async () => {
    const batchId = await removed()
    await change([
      { name: 'name', type: 'string', meta: { pattern: '^[a-b]$' } },
      { name: 'age', type: 'integer', meta: { min: 2 } },
    ])
    expect((await restore(batchId)).body.data).toMatchObject([
      {
        restored: 1,
        conflicts: [
          { key: 1, reason: 'does-not-fit', fields: ['age'] },
          { key: 3, reason: 'does-not-fit', fields: ['name'] },
        ],
      },
    ])
  })

  test('leaves what lacks a required value, has undeclared fields or repeats a unique one', async () => {
    await run('update entities.thing set age = 2')
    const batchId = await removed()
    await change(
      [
        { name: 'name', type: 'string' },
        { name: 'age', type: 'integer', unique: true },
        { name: 'day', type: 'date' },
      ],
      { additionalProperties: false },
    )
    expect((await restore(batchId)).body.data).toMatchObject([
      {
        restored: 1,
        conflicts: [
          { key: 1, reason: 'does-not-fit', fields: ['$extra'] },
          { key: 3, reason: 'unique-taken', fields: ['age'] },
        ],
      },
    ])
  })
})
