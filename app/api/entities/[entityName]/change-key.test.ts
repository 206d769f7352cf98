import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { POST as RESTORE } from '@/app/api/trash/[batchId]/restore/route'
import { rows } from '@/lib/db/rows'
import { DefinitionError } from '@/lib/definitions/definition-error'
import { registryChanged } from '@/lib/registry/registry'
import { describeStep } from '@/lib/tables/describe-step'
import { defineTestEntity, defineTestSchema, foreignKeys, tableColumns } from '@/lib/testing/define'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { DELETE } from './batch/route'
import { POST as CREATE } from './route'

const deps = freshDeps()

type Key = { type: string; strategy?: string; max?: number; maxLength?: number }

/** Installs a thing whose key `id` is of this type, and returns what was done in words. */
async function thing({ type, strategy = 'Fixed', ...rules }: Key) {
  const pks = [{ key: 'id', strategy, type: NUMBERS.includes(type) ? 'number' : 'string' }]
  const properties = [
    { name: 'id', type, ...rules },
    { name: 'note', type: 'string' },
  ]
  // Schema and entity are in separate files: the stricter order of the two must work.
  const schema = await defineTestSchema(deps, { name: 'Thing', properties })
  const entity = await defineTestEntity(deps, { name: 'Thing', pks })
  await registryChanged(deps)
  return [...schema.steps, ...entity.steps].map(describeStep)
}

const NUMBERS = ['smallint', 'integer', 'bigint', 'decimal', 'number']

async function part(type: string) {
  const reference = { entity: 'Thing', field: 'id' }
  const properties = [{ name: 'thing', type, reference }]
  const schema = await defineTestSchema(deps, { name: 'Part', properties })
  const entity = await defineTestEntity(deps, { name: 'Part' })
  await registryChanged(deps)
  return [...schema.notes, ...entity.notes]
}

const create = async (entityName: string, body: object) => {
  const params = { entityName }
  const response = await call(deps, CREATE, {
    method: 'POST',
    path: '/',
    params,
    body,
    as: 'ADMIN',
  })
  return response.body.data[0] ?? response.body
}

const ids = () =>
  rows<{ id: unknown }>(
    deps.db,
    sql`select to_jsonb(id) as id from entities.thing order by id`,
  ).then((found) => found.map(({ id }) => id))

async function refusal(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(DefinitionError)
  const { verdict, details } = error as DefinitionError
  return { verdict, details }
}

describe('the type of a key', () => {
  test.each([
    ['smallint', 'integer', 'bigint!', [1, 2]],
    ['smallint', 'decimal', 'numeric!', [1, 2]],
    ['integer', 'bigint', 'bigint!', [1, 2]],
    ['integer', 'decimal', 'numeric!', [1, 2]],
    ['integer', 'string', 'text!', ['1', '2']],
    ['decimal', 'string', 'text!', ['1', '2']],
  ])('widens from %s to %s with its records', async (from, to, column, found) => {
    await thing({ type: from })
    await create('Thing', { id: 1, note: 'a' })
    await create('Thing', { id: 2 })
    const done = await thing({ type: to })
    expect(done.filter((words) => /empty|Drop|primary key/.test(words))).toEqual([])
    expect((await tableColumns(deps, 'thing')).id).toBe(column)
    expect(await ids()).toEqual(found)
    expect((await create('Thing', { id: found[0] })).code).toBe(409)
  })

  test.each([
    ['integer', 'smallint', 70_000, 'id cannot become smallint'],
    ['decimal', 'integer', 1.5, 'id cannot become integer'],
    ['string', 'integer', 'x', 'id cannot become integer'],
  ])('narrows from %s to %s unless a value contradicts', async (from, to, odd, message) => {
    await thing({ type: from })
    await create('Thing', { id: from === 'string' ? '7' : 7 })
    await create('Thing', { id: odd })
    expect(await refusal(thing({ type: to }))).toEqual({
      verdict: 'Incompatible change',
      details: [{ key: odd, value: odd, message }],
    })
    await deps.db.execute(sql`delete from entities.thing where id::text = ${String(odd)}`)
    await thing({ type: to })
    expect(await ids()).toEqual([7])
  })

  test('does not narrow where two keys would become one', async () => {
    await thing({ type: 'string' })
    for (const id of ['1', '01', '2']) await create('Thing', { id })
    expect(await refusal(thing({ type: 'integer' }))).toEqual({
      verdict: 'Incompatible change',
      details: ['01', '1'].map((key) => ({
        key,
        value: key,
        message: 'Another record would have the same id as integer',
      })),
    })
  })

  test('keeps to shorter texts unless one is longer', async () => {
    await thing({ type: 'string', maxLength: 3 })
    await create('Thing', { id: 'abc' })
    await thing({ type: 'string', maxLength: 9 })
    await create('Thing', { id: 'abcdef' })
    expect(await refusal(thing({ type: 'string', maxLength: 5 }))).toMatchObject({
      verdict: 'Incompatible change',
      details: [{ key: 'abcdef', message: 'id must have at most 5 characters' }],
    })
  })

  test.each([
    ['smallint', 'integer', 'part.thing → thing.id'],
    ['integer', 'decimal', 'part.thing → thing.id'],
  ])('takes references from %s to %s along', async (from, to, key) => {
    await thing({ type: from })
    await part(from)
    await create('Thing', { id: 1 })
    await create('Part', { thing: 1 })
    await thing({ type: to })
    expect(await foreignKeys(deps)).toEqual([key])
    expect((await create('Part', { thing: 2 })).error).toContain('not in Thing')
    expect(await part(to)).toEqual([])
    expect(await foreignKeys(deps)).toEqual([key])
  })

  test.each([
    ['key', 'reference'],
    ['reference', 'key'],
  ])('becomes text together with what refers to it, the %s first', async (first) => {
    await thing({ type: 'integer' })
    await part('integer')
    await create('Thing', { id: 1 })
    await create('Part', { thing: 1 })
    const changes = [() => thing({ type: 'string' }), () => part('string')]
    for (const change of first === 'key' ? changes : changes.reverse()) await change()
    expect(await foreignKeys(deps)).toEqual(['part.thing → thing.id'])
    expect((await create('Part', { thing: 'x' })).error).toContain('not in Thing')
  })

  test.each([
    ['smallint', 'integer', 'AutoIncrement', 3],
    ['integer', 'string', 'AutoIncrement', '3'],
    ['integer', 'decimal', 'AutoIncrement', 3],
  ])('counts on when it widens from %s to %s', async (from, to, strategy, next) => {
    await thing({ type: from, strategy })
    for (const note of ['a', 'b']) await create('Thing', { note })
    await deps.db.execute(sql`delete from entities.thing where note = 'b'`)
    await thing({ type: to, strategy })
    expect((await create('Thing', { note: 'c' })).id).toBe(next)
  })

  test('of a free-form entity changes with its strategy', async () => {
    const free = (strategy: string, type?: string) =>
      defineTestEntity(deps, { name: 'Thing', pks: [{ key: 'id', strategy, type }] })
    await free('AutoIncrement')
    await registryChanged(deps)
    expect((await create('Thing', {})).id).toBe(1)
    await free('Fixed', 'number')
    await registryChanged(deps)
    expect((await create('Thing', {})).code).toBe(400)
    await create('Thing', { id: 5 })
    await free('AutoIncrement')
    await registryChanged(deps)
    expect((await create('Thing', {})).id).toBe(6)
    await free('UUID')
    await registryChanged(deps)
    expect(await ids()).toEqual(['1', '5', '6'])
    expect((await create('Thing', {})).id).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('is reported with the field and both types', async () => {
    await thing({ type: 'smallint' })
    await create('Thing', { id: 1 })
    expect(await thing({ type: 'integer' })).toEqual([
      'Widen the column id of entities.thing from smallint to bigint',
    ])
  })
})

test('records of the old type can be restored from the trash', async () => {
  await thing({ type: 'integer' })
  for (const id of [1, 2]) await create('Thing', { id })
  const params = { entityName: 'Thing' }
  const body = { entity: 'Thing' }
  const path = '/api/entities/Thing/batch?undo=7d'
  const removed = await call(deps, DELETE, { method: 'DELETE', path, params, body, as: 'ADMIN' })
  await thing({ type: 'string' })
  await create('Thing', { id: '2' })
  const { batchId } = removed.body.meta
  const restored = await call(deps, RESTORE, {
    method: 'POST',
    path: '/',
    params: { batchId },
    as: 'ADMIN',
  })
  expect(restored.body.data).toMatchObject([
    { restored: 1, conflicts: [{ key: 2, reason: 'key-taken' }] },
  ])
  expect(await ids()).toEqual(['1', '2'])
})

test('another key is possible only while the entity is empty, which the refusal says', async () => {
  const keyed = (...keys: string[]) =>
    defineTestEntity(deps, {
      name: 'Thing',
      pks: keys.map((key) => ({ key, strategy: 'Fixed', type: 'string' })),
    })
  await keyed('k')
  await registryChanged(deps)
  await create('Thing', { k: 'a' } satisfies JsonObject)
  expect(await refusal(keyed('k', 'l'))).toEqual({
    verdict: 'Incompatible change',
    details: [
      { message: '1 record is stored: it is too late to change the primary key from k to k, l' },
    ],
  })
})
