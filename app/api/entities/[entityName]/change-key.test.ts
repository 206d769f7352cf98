import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { POST as RESTORE } from '@/app/api/trash/[batchId]/restore/route'
import { DefinitionError } from '@/lib/definitions/definition-faults'
import { registryChanged } from '@/lib/registry/registry'
import { defineTestEntity, defineTestSchema, foreignKeys } from '@/lib/testing/define'
import { testsOfCore } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { DELETE } from './batch/route'
import { create, deps, ids, thing } from './testing/keyed-thing'

async function part(type: string) {
  const reference = { entity: 'Thing', field: 'id' }
  const properties = [{ name: 'thing', type, reference }]
  const schema = await defineTestSchema(deps, { name: 'Part', properties })
  const entity = await defineTestEntity(deps, { name: 'Part' })
  await registryChanged(deps)
  return [...schema.notes, ...entity.notes]
}

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
})

test.skipIf(testsOfCore())('records of the old type can be restored from the trash', async () => {
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
