import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { type Db, rows } from '@/lib/db/sql'
import { parseEntityDefinition } from '@/lib/definitions/parse-entity-definition'
import { parseSchemaDefinition } from '@/lib/definitions/parse-schema-definition'
import type { Handler } from '@/lib/http/route'
import { defineEntity } from '@/lib/tables/define-entity'
import { defineSchema } from '@/lib/tables/define-schema'
import { freshDeps, testsOnPostgres } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import type { Json } from '@/lib/values/json'
import * as record from './[entityName]/[id]/route'
import * as batch from './[entityName]/batch/route'
import * as count from './[entityName]/count/route'
import * as records from './[entityName]/route'
import * as search from './[entityName]/search/route'

const deps = freshDeps()

const schema = (people: object) => ({
  name: 'City',
  properties: [
    { name: 'name', type: 'string' },
    { name: 'people', type: 'integer', ...people },
  ],
})
const entity = (permissions: object = {}) => ({ name: 'City', permissions })

/** As another process does it whose message has not arrived. */
async function redefine(tx: Db, people: object, permissions: object = {}): Promise<void> {
  const of = <T>(parsed: { definition: T } | { faults: unknown }) =>
    (parsed as { definition: T }).definition
  await defineSchema(tx, of(parseSchemaDefinition(schema(people) as Json)), 'test')
  await defineEntity(tx, of(parseEntityDefinition(entity(permissions) as Json)), 'test')
}

const send = (handler: Handler, method: string, body?: object, id?: string) =>
  call(deps, handler, {
    ...{ method, path: `/api/entities/City${id ? `/${id}` : ''}`, body, as: 'ADMIN' },
    params: { entityName: 'City', ...(id ? { id } : {}) },
  })

const SUM = { fields: ['name'], aggregate: [{ function: 'SUM', field: 'people' }] }

const FROM_ONE = { entity: 'City', query: [{ field: 'people', operator: 'gte', value: 1 }] }

const find = (handler: Handler, method: string, path: string, body?: object) =>
  call(deps, handler, {
    ...{ method, path: `/api/entities/City${path}`, body, as: 'ADMIN' },
    params: { entityName: 'City' },
  })

const SEARCHES: [string, number, () => ReturnType<typeof find>][] = [
  ['a page', 200, () => find(records.GET, 'GET', '?filter=people:gte:1')],
  ['groups', 400, () => find(search.POST, 'POST', '/search', { groupBy: SUM })],
  ['a total', 200, () => find(count.GET, 'GET', '/count?filter=people:gte:1')],
  ['a preview', 200, () => find(batch.DELETE, 'DELETE', '/batch?dryRun=true', FROM_ONE)],
  ['a deletion', 200, () => find(batch.DELETE, 'DELETE', '/batch', FROM_ONE)],
]

const stored = () => rows(deps.db, sql`select id::int, name, people::text from entities.city`)

const REQUESTS: [string, () => ReturnType<typeof send>][] = [
  ['a new record', () => send(records.POST, 'POST', { name: 'b', people: 9 })],
  ['one with a new undeclared field', () => send(records.POST, 'POST', { people: 9, more: 1 })],
  ['new records', () => send(batch.POST, 'POST', [{ name: 'b' }, { people: 9 }])],
  ['a change', () => send(record.PATCH, 'PATCH', { people: 9 }, '1')],
  ['a change that names its key', () => send(records.PUT, 'PUT', { id: 1, people: 9 })],
]

describe('a definition that was changed elsewhere decides about', () => {
  test.each(REQUESTS)('%s', async (_, request) => {
    await installTestEntity(deps, { entity: entity(), schema: schema({}) }, [{ id: 1, people: 1 }])
    await deps.db.transaction((tx) => redefine(tx, { max: 5 }))
    expect(await request()).toMatchObject({ status: 400 })
    expect(await stored()).toEqual([{ id: 1, name: null, people: '1' }])
  })

  test.each(REQUESTS)('%s, in the type of its columns', async (_, request) => {
    await installTestEntity(deps, { entity: entity(), schema: schema({}) }, [{ id: 1, people: 1 }])
    await deps.db.transaction((tx) => redefine(tx, { type: 'string', maxLength: 0 }))
    expect(await request()).toMatchObject({ status: 400 })
    expect(await stored()).toEqual([{ id: 1, name: null, people: '1' }])
  })

  test.each(SEARCHES)('%s by a column of another type', async (_, status, request) => {
    await installTestEntity(deps, { entity: entity(), schema: schema({}) }, [{ id: 1, people: 1 }])
    await deps.db.transaction((tx) => redefine(tx, { type: 'string' }))
    expect(await request()).toMatchObject({ status })
  })

  test('deletions', async () => {
    await installTestEntity(deps, { entity: entity(), schema: schema({}) }, [{ id: 1 }])
    await deps.db.transaction((tx) => redefine(tx, {}, { delete: false }))
    expect(await send(record.DELETE, 'DELETE', undefined, '1')).toMatchObject({ status: 403 })
    expect(await stored()).toHaveLength(1)
  })

  test('records of an entity that is gone', async () => {
    await installTestEntity(deps, { entity: entity(), schema: schema({}) }, [{ id: 1 }])
    await deps.db.execute(sql`drop table entities.city`)
    await deps.db.execute(sql`delete from engine.entities`)
    for (const [, request] of REQUESTS) expect(await request()).toMatchObject({ status: 404 })
  })

  test.runIf(testsOnPostgres()).each(REQUESTS)(
    '%s while it is being changed',
    async (_, request) => {
      await installTestEntity(deps, { entity: entity(), schema: schema({}) }, [
        { id: 1, people: 1 },
      ])
      let waiting: ReturnType<typeof request> | undefined
      await deps.db.transaction(async (tx) => {
        await redefine(tx, { max: 5 })
        waiting = request()
        const isBlocked = sql`select 1 from pg_locks where relation = 'entities.city'::regclass and not granted`
        await expect.poll(() => rows(deps.db, isBlocked)).not.toEqual([])
      })
      expect(await waiting).toMatchObject({ status: 400 })
      expect(await stored()).toEqual([{ id: 1, name: null, people: '1' }])
    },
  )
})
