import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { entities, schemas } from '@/lib/db/schema'
import {
  defineTestEntity,
  defineTestSchema,
  tableColumns,
  tableIndexDefinitions,
} from '@/lib/testing/define'
import { insertTestRecords } from '@/lib/testing/entity'
import { change, current, deps, install, schemaOf, values } from './testing/thing'

describe('a schema that is installed again', () => {
  test('identically is unchanged', async () => {
    const json = schemaOf({ type: 'string', enum: ['x'], default: 'x' })
    expect(await defineTestSchema(deps, json, 'a')).toMatchObject({ status: 'created', steps: [] })
    const again = await defineTestSchema(deps, json, 'b')
    expect(again).toEqual({
      status: 'unchanged',
      steps: [],
      notes: ['Thing came from the plugin a'],
    })
    expect(await deps.db.select().from(schemas)).toMatchObject([{ pluginId: 'a' }])
  })

  test('in another form that says the same is unchanged', async () => {
    await change({ type: 'string', required: true, maxLength: 5 })
    const properties = { a: { type: 'string', maxLength: 5 } }
    const outcome = await defineTestSchema(deps, { name: 'Thing', required: ['a'], properties })
    expect(outcome.status).toBe('unchanged')
  })

  test('with a name in another case is refused', async () => {
    await change({ type: 'string' })
    await expect(defineTestSchema(deps, { name: 'THING', properties: [] })).rejects.toMatchObject({
      verdict: 'Invalid definition',
      details: [{ pointer: '/name' }],
    })
  })

  test('changes every entity that uses it, and no other', async () => {
    await defineTestSchema(deps, { name: 'Place', properties: [] })
    await defineTestEntity(deps, { name: 'City', engineSchema: 'Place' })
    await defineTestEntity(deps, { name: 'Town', engineSchema: 'Place' })
    await defineTestEntity(deps, { name: 'Road' })
    const properties = [{ name: 'a', type: 'string' }]
    const outcome = await defineTestSchema(deps, { name: 'Place', properties })
    expect(outcome.status).toBe('updated')
    expect(await tableColumns(deps, 'city')).toHaveProperty('a')
    expect(await tableColumns(deps, 'town')).toHaveProperty('a')
    expect(await tableColumns(deps, 'road')).not.toHaveProperty('a')
  })

  test('that no entity can use any more is refused, and changes nothing', async () => {
    await install({ type: 'string' }, [])
    const properties = [{ name: 'id', type: 'json' }]
    await expect(defineTestSchema(deps, { name: 'Thing', properties })).rejects.toMatchObject({
      verdict: 'Invalid definition',
      details: [{ message: expect.stringContaining('Entity Thing') }],
    })
    expect(await tableColumns(deps, 'thing')).toEqual({ id: 'bigint!', a: 'text', $extra: 'jsonb' })
  })

  test('without a field that an index needs drops the index, and says so', async () => {
    await change({ type: 'string' })
    await defineTestEntity(deps, { name: 'Thing', indexes: [{ fields: ['a', 'id'] }] })
    const { notes } = await change(null)
    expect(notes).toEqual(['An index of Thing is gone: There is no property "a"'])
    expect(await tableIndexDefinitions(deps, 'thing')).toEqual(['UNIQUE USING btree (id)'])
    await change({ type: 'string' })
    expect(await tableIndexDefinitions(deps, 'thing')).toContain('USING btree (a, id)')
  })
})

describe('a property that is dropped', () => {
  test('keeps its column and data, and takes records without it', async () => {
    await install({ type: 'string', required: true, unique: true }, ['x'])
    await change(null)
    expect(await tableColumns(deps, 'thing')).toHaveProperty('a', 'text')
    expect(await values()).toEqual(['x'])
    expect((await current()).properties.map(({ name }) => name)).toEqual(['id'])
    await insertTestRecords(deps, await current(), [{}])
    expect(await values()).toEqual(['x', null])
  })

  test('has its data when it is declared again, also as a wider type', async () => {
    await install({ type: 'smallint' }, [5])
    await change(null)
    const outcome = await change({ type: 'integer' })
    expect(outcome.steps.map(({ type }) => type)).not.toContain('add-column')
    expect(await values()).toEqual([5])
    expect(await tableColumns(deps, 'thing')).toHaveProperty('a', 'bigint')
  })

  test('is checked against its rules when it is declared again', async () => {
    await install({ type: 'integer' }, [5])
    await change(null)
    await expect(change({ type: 'integer', max: 4 })).rejects.toMatchObject({
      verdict: 'Incompatible change',
    })
    await expect(change({ type: 'boolean' })).rejects.toMatchObject({
      verdict: 'Incompatible change',
    })
  })

  test('gives way to undeclared values that came in between', async () => {
    await install({ type: 'integer' }, [1, 2])
    await change(null)
    await insertTestRecords(deps, await current(), [{ a: 8 }])
    await deps.db.execute(sql`update entities.thing set "$extra" = '{"a": 7}' where id = ${1}`)
    await change({ type: 'integer' })
    expect(await values()).toEqual([7, 2, 8])
  })
})

test('a change of a schema and concurrent writes do not deadlock', async () => {
  await install({ type: 'string' }, [])
  const write = async (n: number) => {
    await deps.db.transaction(async (tx) => {
      await tx.execute(sql`insert into entities.thing ("$extra") values ('{"n": 1}')`)
      await tx.execute(
        sql`update ${entities} set extra_fields = array_append(extra_fields, ${`n${n}`}::text) where name = 'Thing'`,
      )
    })
  }
  const work = Array.from({ length: 20 }, (_, n) =>
    n % 4 ? write(n) : change({ type: 'string', maxLength: 10 + n }),
  )
  await Promise.all(work)
  const [row] = await deps.db.select().from(entities)
  expect(row?.extraFields).toHaveLength(15)
})
