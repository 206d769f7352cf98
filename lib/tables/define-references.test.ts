import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import {
  defineTestEntity,
  defineTestSchema,
  foreignKeys,
  tableIndexDefinitions,
} from '@/lib/testing/define'
import { freshDeps, testsOnCitus } from '@/lib/testing/deps'
import { insertTestRecords, installTestEntity } from '@/lib/testing/entity'
import { describeStep } from './describe-step'

const deps = freshDeps()

const to = (entity: string, field: string) => ({ reference: { entity, field } })
const pks = [{ key: 'code', strategy: 'Fixed' }]
const country = { entity: { name: 'Country', pks } }
const city = (type = 'string', more: object = to('Country', 'code')) => ({
  entity: { name: 'City' },
  schema: { properties: [{ name: 'country', type, ...more }] },
})
const installCountry = (records: object[] = []) => installTestEntity(deps, country, records)

describe('a reference', () => {
  test('is a foreign key with an index, and refuses what is not there', async () => {
    await installCountry([{ code: 'DE' }])
    const entity = await installTestEntity(deps, city(), [{ country: 'DE' }, { country: null }])
    expect(await foreignKeys(deps)).toEqual(['city.country → country.code'])
    expect(await tableIndexDefinitions(deps, 'city')).toContain('USING btree (country)')
    await expect(insertTestRecords(deps, entity, [{ country: 'XX' }])).rejects.toMatchObject({
      cause: { code: '23503' },
    })
  })

  test('may be to a unique field that is no key', async () => {
    const schema = { properties: [{ name: 'iso', type: 'string', unique: true }] }
    await installTestEntity(deps, { entity: { name: 'Country' }, schema })
    await installTestEntity(deps, city('string', to('Country', 'iso')))
    expect(await foreignKeys(deps)).toEqual(['city.country → country.iso'])
  })

  // The nodes of a cluster check each statement.
  test.skipIf(testsOnCitus())('may be checked at the end of a transaction, if asked', async () => {
    await installCountry()
    await installTestEntity(deps, city())
    await deps.db.transaction(async (tx) => {
      await tx.execute(sql`set constraints all deferred`)
      await tx.execute(sql`insert into entities.city (country) values ('DE')`)
      await tx.execute(sql`insert into entities.country (code) values ('DE')`)
    })
    expect(await foreignKeys(deps)).toEqual(['city.country → country.code'])
  })

  test('waits for its target', async () => {
    const outcome = await installTestEntity(deps, city())
    expect(outcome.properties[1]?.rules).toMatchObject(to('Country', 'code'))
    expect(await foreignKeys(deps)).toEqual([])
    const { steps, notes } = await defineTestEntity(deps, country.entity)
    expect(steps.map(describeStep)).toContain(
      'Require entities.city.country to refer to entities.country.code',
    )
    expect(notes).toEqual([])
    expect(await foreignKeys(deps)).toEqual(['city.country → country.code'])
  })

  test('exempts older values when its target is installed after them', async () => {
    const entity = await installTestEntity(deps, city(), [{ country: 'DE' }])
    const { notes } = await defineTestEntity(deps, country.entity)
    expect(notes).toEqual([expect.stringContaining('refer to nothing')])
    expect(await foreignKeys(deps)).toEqual(['city.country → country.code?'])
    await expect(insertTestRecords(deps, entity, [{ country: 'FR' }])).rejects.toThrow()
  })

  test('that is new is refused where stored values contradict it', async () => {
    await installCountry([{ code: 'DE' }])
    await installTestEntity(deps, city('string', {}), [{ country: 'DE' }, { country: 'XX' }])
    await expect(defineTestSchema(deps, { name: 'City', ...city().schema })).rejects.toMatchObject({
      verdict: 'Incompatible change',
      details: [{ key: 2, value: 'XX', message: expect.stringContaining('does not exist') }],
    })
    expect(await foreignKeys(deps)).toEqual([])
    await deps.db.execute(sql`delete from entities.city where country = 'XX'`)
    await defineTestSchema(deps, { name: 'City', ...city().schema })
    expect(await foreignKeys(deps)).toEqual(['city.country → country.code'])
  })

  test('that is dropped or changed is no foreign key any more', async () => {
    await installCountry()
    await installTestEntity(deps, city())
    await defineTestSchema(deps, { name: 'City', ...city('string', {}).schema })
    expect(await foreignKeys(deps)).toEqual([])
    await defineTestSchema(deps, { name: 'City', ...city().schema })
    await defineTestSchema(deps, { name: 'City', properties: [] })
    expect(await foreignKeys(deps)).toEqual([])
  })

  test('to its own entity works', async () => {
    const schema = { properties: [{ name: 'parent', type: 'string', ...to('Node', 'code') }] }
    const entity = await installTestEntity(deps, { entity: { name: 'Node', pks }, schema }, [
      { code: 'a', parent: 'a' },
      { code: 'b', parent: 'a' },
    ])
    expect(await foreignKeys(deps)).toEqual(['node.parent → node.code'])
    await expect(insertTestRecords(deps, entity, [{ code: 'c', parent: 'x' }])).rejects.toThrow()
  })

  test('in a cycle of entities is not enforced, with a note', async () => {
    const pair = (name: string, other: string) => ({
      name,
      properties: [{ name: 'other', type: 'integer', ...to(other, 'id') }],
    })
    await defineTestSchema(deps, pair('Egg', 'Hen'))
    await defineTestSchema(deps, pair('Hen', 'Egg'))
    await defineTestEntity(deps, { name: 'Egg' })
    const { notes } = await defineTestEntity(deps, { name: 'Hen' })
    expect(notes).toEqual([
      'The reference of Egg.other is not enforced: Egg and Hen refer to each other',
      'The reference of other is not enforced: Hen and Egg refer to each other',
    ])
    expect(await foreignKeys(deps)).toEqual([])
    await defineTestSchema(deps, { name: 'Egg', properties: [] })
    expect(await foreignKeys(deps)).toEqual(['hen.other → egg.id'])
    await defineTestSchema(deps, pair('Egg', 'Hen'))
    expect(await foreignKeys(deps)).toEqual([])
  })

  test('in a cycle of three entities is not enforced either', async () => {
    const names = ['Egg', 'Chick', 'Hen']
    for (const [at, name] of names.entries()) {
      const next = to(names[(at + 1) % 3] ?? '', 'id')
      await defineTestSchema(deps, {
        name,
        properties: [{ name: 'next', type: 'integer', ...next }],
      })
    }
    for (const name of names) await defineTestEntity(deps, { name })
    expect(await foreignKeys(deps)).toEqual([])
  })

  test.each<[string, object, object, string]>([
    [
      'is not unique',
      { properties: [{ name: 'iso', type: 'string' }] },
      to('Country', 'iso'),
      'not unique',
    ],
    ['is not there', {}, to('Country', 'iso'), 'no field iso'],
    ['is of another type', {}, { type: 'integer', ...to('Country', 'code') }, 'country is integer'],
    ['is in an entity that is not there', {}, to('Land', 'code'), 'Land is not installed'],
    ['is our own', {}, to('EngineUsers', 'id'), 'EngineUsers is a system entity'],
  ])('to a field that %s is not enforced, with a note', async (_, schema, more, reason) => {
    await installTestEntity(deps, { ...country, schema })
    await defineTestSchema(deps, { name: 'City', ...city('string', more).schema })
    const { notes } = await defineTestEntity(deps, { name: 'City' })
    expect(notes).toEqual([expect.stringContaining(reason)])
    expect(await foreignKeys(deps)).toEqual([])
  })

  test.each([
    ['smallint', 'integer', true],
    ['integer', 'smallint', true],
    ['integer', 'decimal', true],
    ['integer', 'number', true],
    ['decimal', 'number', true],
    ['number', 'integer', false],
    ['decimal', 'integer', false],
    ['number', 'decimal', false],
    ['date', 'date', true],
    ['uuid', 'string', true],
  ])('from %s to %s can be enforced: %s', async (from, target, isPossible) => {
    const schema = { properties: [{ name: 'code', type: target }] }
    await installTestEntity(deps, { ...country, schema })
    await installTestEntity(deps, city(from))
    expect(await foreignKeys(deps)).toHaveLength(isPossible ? 1 : 0)
  })

  test('follows its target to another key or table', async () => {
    await installCountry()
    await installTestEntity(deps, city())
    await defineTestEntity(deps, { name: 'Country', pks, dbTable: 'land' })
    expect(await foreignKeys(deps)).toEqual(['city.country → land.code'])
    await defineTestEntity(deps, { name: 'Country', pks: [...pks, { key: 'no' }], dbTable: 'land' })
    expect(await foreignKeys(deps)).toEqual([])
    await defineTestEntity(deps, { name: 'Country', pks, dbTable: 'land' })
    expect(await foreignKeys(deps)).toEqual(['city.country → land.code'])
  })

  test('survives a wider type on one side', async () => {
    const schema = { properties: [{ name: 'code', type: 'integer' }] }
    await installTestEntity(deps, { ...country, schema }, [{ code: 1 }])
    await installTestEntity(deps, city('smallint'), [{ country: 1 }])
    await defineTestSchema(deps, { name: 'City', ...city('integer').schema })
    expect(await foreignKeys(deps)).toEqual(['city.country → country.code'])
    const { notes } = await defineTestSchema(deps, { name: 'City', ...city('string').schema })
    expect(notes).toEqual([expect.stringContaining('country is string')])
    expect(await foreignKeys(deps)).toEqual([])
  })
})
