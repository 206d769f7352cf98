import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { placesOf, tablesOf } from '@/app/api/testing/every-byte'
import { rows } from '@/lib/db/sql'
import { startExports } from '@/lib/export/start-exports'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import * as comments from '../[id]/comments/route'
import * as record from '../[id]/route'
import * as batch from '../batch/route'
import * as changes from '../changes/route'
import * as exports from '../exports/route'
import * as entity from '../route'
import * as route from './route'
import { admin, deps, done, erase, named } from './testing/customers'

const TOKENS = ['Quillmark', 'Tanglewood', 'Murkelville']

/** 1 matches, 2 was deleted, 3 has another name by now, 4 is somebody else. */
async function fill(): Promise<void> {
  for (const name of ['Quillmark', 'Old Quillmark', 'Quillmark Tanglewood', 'Other'])
    await done(entity.POST, 'POST', {
      body: { name, town: name === 'Other' ? 'Rome' : 'Murkelville' },
    })
  await done(record.PATCH, 'PATCH', { id: '1', body: { town: 'Bern' } })
  await done(record.PATCH, 'PATCH', { id: '3', body: { name: 'Third', town: 'Oslo' } })
  await done(record.PATCH, 'PATCH', { id: '4', body: { town: 'Paris' } })
  await done(comments.POST, 'POST', { id: '1', body: { text: 'Quillmark called' } })
  const of = { entity: 'Customer', ...named('Old Quillmark') }
  await done(batch.DELETE, 'DELETE', { body: of, query: 'undo=7d' })
  await done(batch.PATCH, 'PATCH', {
    body: { entity: 'Customer', ...named('Quillmark'), set: { town: 'Murkelville' } },
    query: 'undo=7d',
  })
  await done(exports.POST, 'POST', { body: named('Quillmark'), query: 'format=csv' })
  await startExports(deps)
}

test('erased records are in no table, no file and no backup made afterwards', async () => {
  const start = (await done(changes.GET, 'GET')).meta.cursor
  await fill()
  const before = await placesOf(deps, TOKENS)
  for (const token of TOKENS) expect(before.join('\n')).toContain(token)

  const tried = (await erase(named('Quillmark'), 'dryRun=true')).body.data[0]
  expect(tried).toMatchObject({ dryRun: true, records: 1, others: 2 })
  expect(await tablesOf(deps, TOKENS)).toEqual(
    before.filter((place) => /^(engine|entities)\./.test(place)),
  )

  expect(await erase(named('Quillmark'), 'expected=1')).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('2 other'), meta: { expectedOthers: 0, others: 2 } },
  })
  expect(await tablesOf(deps, TOKENS)).not.toEqual([])
  const { status, body } = await erase(named('Quillmark'), 'expected=1&expectedOthers=2')
  expect(status).toBe(200)
  expect(body.data[0]).toEqual({ ...tried, dryRun: false })
  expect(await placesOf(deps, TOKENS)).toEqual([])

  const left = await rows(deps.db, sql`select id, name, town from entities.customer order by id`)
  expect(left).toMatchObject([
    { name: 'Third', town: 'Oslo' },
    { name: 'Other', town: 'Paris' },
  ])
  const followed = await done(changes.GET, 'GET', { query: `since=${encodeURIComponent(start)}` })
  const told = followed.data.map((one: { action: string; key: unknown }) => [one.action, one.key])
  expect(told).toEqual([
    ['created', '4'],
    ['updated', '4'],
    ['deleted', '1'],
  ])
})

test('numbers and texts with quotes leave the audit log, also where they were the new values', async () => {
  const name = 'Quillmark "Q"'
  await done(entity.POST, 'POST', { body: { name: 'First', number: 700_712 } })
  const change = (field: string, value: unknown, set: object) =>
    done(batch.PATCH, 'PATCH', {
      body: { entity: 'Customer', query: [{ field, operator: 'eq', value }], set },
    })
  await change('number', 700_712, { town: 'Bern' })
  await change('town', 'Bern', { name })
  await change('name', name, { town: 'Rome' })
  const query = [
    { field: 'name', operator: 'eq', value: name },
    { field: 'number', operator: 'eq', value: 700_712 },
  ]
  expect((await erase({ query }, 'expected=1')).status).toBe(200)
  expect(await tablesOf(deps, ['Quillmark', '700712'])).toEqual([])
})

test('what a copy does not say is not empty: others keep their history', async () => {
  for (const name of ['Quillmark', 'Tanglewood'])
    await done(entity.POST, 'POST', { body: { name, town: 'Oslo' } })
  const of = { entity: 'Customer', ...named('Tanglewood'), set: { name: 'Other' } }
  await done(batch.PATCH, 'PATCH', { body: of, query: 'undo=7d' })
  expect((await erase(named('Quillmark'), 'expected=1')).status).toBe(200)
  const empty = { field: 'town', operator: 'isNull' }
  expect((await erase({ query: [empty] }, 'dryRun=true')).body.data).toMatchObject([
    { records: 0, others: 0, parts: [] },
  ])
})

test('needs conditions on known fields, and the number that the dry run says', async () => {
  await done(entity.POST, 'POST', { body: { name: 'Quillmark' } })
  expect(await erase({}, 'expected=1')).toMatchObject({
    status: 400,
    body: { meta: {}, error: expect.stringContaining('at least one condition') },
  })
  expect(
    (await erase({ query: [{ field: 'x', operator: 'eq', value: 1 }] }, 'expected=1')).status,
  ).toBe(400)
  expect((await erase(named('Quillmark'))).status).toBe(400)
  expect(await erase(named('Quillmark'), 'expected=2')).toMatchObject({
    status: 409,
    body: { meta: { expected: 2, found: 1 } },
  })
  expect(await tablesOf(deps, ['Quillmark'])).toContain('entities.customer: Quillmark')
})

test('records that go by references count as well: of others apart, of the same entity with the rest', async () => {
  const reference = { entity: 'Person', field: 'id', onDelete: 'cascade' }
  const refers = (name: string) => ({ name, type: 'integer', reference })
  await installTestEntity(deps, {
    entity: { name: 'Person' },
    schema: { properties: [{ name: 'name', type: 'string' }, refers('boss')] },
  })
  await installTestEntity(deps, {
    entity: { name: 'Visit' },
    schema: { properties: [refers('person')] },
  })
  const add = (entityName: string, body: object) =>
    call(deps, entity.POST, {
      ...{ method: 'POST', path: `/api/entities/${entityName}`, body, headers: admin },
      params: { entityName },
    })
  for (const boss of [null, 1]) await add('Person', { name: boss ? 'Other' : 'Quillmark', boss })
  for (const person of [1, 2, 2]) expect((await add('Visit', { person })).status).toBe(201)
  const erasePerson = (query: string) =>
    call(deps, route.POST, {
      ...{ method: 'POST', path: `/api/entities/Person/erasure?${query}`, headers: admin },
      ...{ body: named('Quillmark'), params: { entityName: 'Person' } },
    })
  const [tried] = (await erasePerson('dryRun=true')).body.data
  expect(tried).toMatchObject({ records: 2, others: 3 })
  for (const wrong of ['expected=1&expectedOthers=3', 'expected=2', 'expected=2&expectedOthers=2'])
    expect((await erasePerson(wrong)).status).toBe(409)
  expect(await erasePerson('expected=2&expectedOthers=3')).toMatchObject({ status: 200 })
  expect(await rows(deps.db, sql`select id from entities.visit`)).toEqual([])
})

test('what takes longer than ERASURE_TIMEOUT_MS is stopped, and nothing is erased', async () => {
  await done(entity.POST, 'POST', { body: { name: 'Quillmark' } })
  const { settings } = deps
  deps.settings = { ...settings, ERASURE_TIMEOUT_MS: 1 }
  try {
    for (const query of ['dryRun=true', 'expected=1'])
      expect(await erase(named('Quillmark'), query)).toMatchObject({
        status: 503,
        body: { error: expect.stringContaining('ERASURE_TIMEOUT_MS') },
      })
  } finally {
    deps.settings = settings
  }
  expect(await tablesOf(deps, ['Quillmark'])).toContain('entities.customer: Quillmark')
})
