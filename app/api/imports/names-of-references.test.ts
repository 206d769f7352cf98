import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { definePolicy } from '@/lib/policies/define-policy'
import { parsePolicy } from '@/lib/policies/parse-policy'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import type { JsonObject } from '@/lib/values/json'
import { exportedBook } from './testing/exported-book'
import { importsOfUser } from './testing/imports-api'

const deps = freshDeps()

const key = (name: string, type: 'string' | 'number') => [{ key: name, strategy: 'Fixed', type }]
const to = (entity: string, field: string) => ({ reference: { entity, field } })
const install = (entity: object, properties: object[], records: object[] = []) =>
  installTestEntity(deps, { entity, schema: { properties } }, records)

beforeEach(async () => {
  await install(
    { name: 'Country', pks: key('code', 'string') },
    [{ name: 'name', type: 'string' }],
    [
      { code: 'PE', name: 'Peru' },
      { code: 'CL', name: 'Chile' },
      // A key that is the name of another record.
      { code: 'Peru', name: 'Peru in the province of A' },
      { code: 'G1', name: 'Guinea' },
      { code: 'G2', name: 'Guinea' },
      { code: 'F', name: '=Formula' },
    ],
  )
  await install(
    { name: 'Person', pks: key('id', 'number') },
    [
      { name: 'name', type: 'string' },
      { name: 'boss', type: 'integer', meta: to('Person', 'id') },
      { name: 'country', type: 'string', label: 'Country', meta: to('Country', 'code') },
    ],
    [
      { id: 1, name: 'Ann' },
      { id: 2, name: '3' },
      { id: 3, name: 'Cid' },
    ],
  )
})

async function allow(policy: object): Promise<void> {
  const parsed = parsePolicy({ name: crypto.randomUUID(), principals: ['Clerk'], ...policy })
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
  await definePolicy(deps.db, parsed.definition, 'test')
}

const stored = async () =>
  rows<JsonObject>(
    deps.db,
    sql`select id::int, boss::int, country from entities.person where id > 3 order by id`,
  )

describe('names of references', () => {
  test('are taken for the record of that name, keys before names', async () => {
    const mine = await importsOfUser(deps)
    const file = "id,boss,Country\n4,Ann,Chile\n5,3,Peru\n6, Cid ,PE\n7,,\n8,1,'=Formula\n"
    const { body } = await mine.preview(file)
    expect(body.data[0].groups).toEqual([])
    expect(await mine.result(file)).toMatchObject({ status: 'DONE', created: 5, refused: 0 })
    expect(await stored()).toEqual([
      { id: 4, boss: 1, country: 'CL' },
      { id: 5, boss: 3, country: 'Peru' },
      { id: 6, boss: 3, country: 'PE' },
      { id: 7, boss: null, country: null },
      { id: 8, boss: 1, country: 'F' },
    ])
  })

  test('that several records have are refused, with what to do; the refused rows keep them', async () => {
    const mine = await importsOfUser(deps)
    const file = 'id,country\n4,Guinea\n5,Chile\n'
    const ended = await mine.result(file, { query: 'partial=true' })
    expect(ended).toMatchObject({ status: 'DONE', created: 1, refused: 1 })
    const { text } = await mine.refused(ended.id)
    expect(text).toContain('4,Guinea,')
    expect(text).toContain('is the name of several records in Country; give the key of one')
  })

  test('that no record has are refused as they are', async () => {
    const mine = await importsOfUser(deps)
    const file = `id,country,boss\n4,Atlantis,1\n5,"a\0b",1\n6,PE,Bob\n`
    const { groups, status } = await mine.result(file)
    expect(status).toBe('FAILED')
    const words = JSON.stringify(groups)
    for (const part of ['Atlantis', 'Bob']) expect(words).toContain(part)
  })

  test('are found where they are read from files of other rows than the first', async () => {
    const mine = await importsOfUser(deps)
    const lines = Array.from({ length: 12_000 }, (_, at) =>
      [at + 10, at % 2 ? 'Peru' : 'Chile', at % 3 ? 'Ann' : '1'].join(),
    )
    const ended = await mine.result(`id,country,boss\n${lines.join('\n')}\n`)
    expect(ended).toMatchObject({ status: 'DONE', created: 12_000 })
    const counts = await rows<JsonObject>(
      deps.db,
      sql`select country, count(*)::int from entities.person where id > 3 and boss = 1 group by country order by country`,
    )
    expect(counts).toEqual([
      { country: 'CL', count: 6_000 },
      { country: 'Peru', count: 6_000 },
    ])
  })

  test('identify the records of a file', async () => {
    await install(
      { name: 'Visit', pks: [...key('country', 'string'), ...key('year', 'number')] },
      [
        { name: 'country', type: 'string', meta: to('Country', 'code') },
        { name: 'note', type: 'string' },
      ],
      [{ country: 'CL', year: 2020, note: 'first' }],
    )
    const mine = await importsOfUser(deps)
    const sent = { entityName: 'Visit' }
    const file = 'country,year,note\nChile,2020,second\n'
    const { body } = await mine.preview(file, sent)
    expect(body.data[0]).toMatchObject({ mode: 'update', key: ['country', 'year'] })
    const ended = await mine.result(file, { ...sent, query: 'mode=update' })
    expect(ended).toMatchObject({ status: 'DONE', updated: 1 })
  })

  test('of a workbook as it was exported come back', async () => {
    const mine = await importsOfUser(deps)
    await mine.result('id,boss,country\n4,Ann,Chile\n5,Cid,PE\n')
    const before = await stored()
    const file = await exportedBook(deps, 'Person')
    const ended = await mine.result(file, { query: 'mode=update', fileName: 'people.xlsx' })
    expect(ended).toMatchObject({ status: 'DONE', refused: 0 })
    expect(await stored()).toEqual(before)
  })

  test('of the entity itself are keys where the rows of the file have some, which may follow', async () => {
    const parent = { name: 'parent', type: 'string', meta: to('Place', 'code') }
    await install(
      { name: 'Place', pks: key('code', 'string') },
      [{ name: 'name', type: 'string' }, parent],
      [{ code: 'A1', name: 'North' }],
    )
    const mine = await importsOfUser(deps)
    const ended = await mine.result('code,parent\nS,North\nNorth,\n', { entityName: 'Place' })
    expect(ended).toMatchObject({ status: 'DONE', created: 2 })
    const found = await rows(deps.db, sql`select parent from entities.place where code = 'S'`)
    expect(found).toEqual([{ parent: 'North' }])
  })

  test('of JSON are values, which are taken as they are', async () => {
    const mine = await importsOfUser(deps)
    const ended = await mine.result('[{"id":4,"country":"Chile"}]', { fileName: 'people.json' })
    expect(ended.status).toBe('FAILED')
  })
})

describe('rights', () => {
  const BOSS = 'id,country\n4,Chile\n'

  test('who may not read the entity that is referred to finds nothing by a name', async () => {
    const mine = await importsOfUser(deps, ['EDITOR'], ['Person:read', 'Person:write'])
    expect((await mine.result(BOSS)).status).toBe('FAILED')
  })

  test('records that a rule hides have no name', async () => {
    await allow({ entities: ['Person'], actions: ['read', 'write'] })
    const where = [{ field: 'code', operator: 'in', value: ['PE', 'G1'] }]
    await allow({ entities: ['Country'], actions: ['read'], where })
    const mine = await importsOfUser(deps, ['Clerk'])
    expect((await mine.result(BOSS)).status).toBe('FAILED')
    const ended = await mine.result('id,country\n5,Guinea\n')
    expect(ended).toMatchObject({ status: 'DONE', created: 1 })
    expect(await stored()).toEqual([{ id: 5, boss: null, country: 'G1' }])
  })
})
