import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { install, upload } from '@/app/api/plugins/testing/plugin-api'
import { addIndex } from '@/lib/advice/add-index'
import { buildIndexes } from '@/lib/advice/build-indexes'
import type { IndexBody } from '@/lib/advice/contract'
import { giveAdvice } from '@/lib/advice/give-advice'
import { rows } from '@/lib/db/rows'
import { pluginFiles } from '@/lib/testing/archive'
import { databaseState } from '@/lib/testing/database-state'
import { freshDeps } from '@/lib/testing/deps'

/** Added indexes beside those of a definition that changes. */

const deps = freshDeps()

const NAME = { name: 'name', type: 'string' }
const CODE = { name: 'code', type: 'string' }

/** A version of the plugin; the records have numbers as texts, so that every type can hold them. */
const version = (properties: object[], entity: object = {}, data: object[] = []) =>
  pluginFiles({
    EngineSchemas: { files: { 'Thing.json': { name: 'Thing', properties } } },
    EngineEntities: { files: { 'Thing.json': { name: 'Thing', ...entity } } },
    ...(data.length > 0 ? { Thing: { files: { 'data.json': data } } } : {}),
  })

const RECORDS = ['1', '2', '3'].map((name) => ({ name, code: `c${name}` }))

const add = (body: Partial<IndexBody> & Pick<IndexBody, 'fields'>) => {
  const actor = {
    type: 'user' as const,
    id: crypto.randomUUID(),
    userId: crypto.randomUUID(),
    name: 'a@example.com',
    roles: ['ADMIN'],
    scopes: null,
    address: null,
  }
  const whole = { kind: 'btree' as const, unique: false, ...body }
  return addIndex(deps, { entityName: 'Thing', body: whole, actor, requestId: 'r' })
}

const start = async (...bodies: Parameters<typeof add>[0][]) => {
  await install(deps, version([NAME, CODE], {}, RECORDS))
  for (const body of bodies) await add(body)
  await built()
}

const built = async () => {
  const states = async () => {
    await buildIndexes(deps)
    return (await giveAdvice(deps, 'Thing')).meta.indexes.map(({ state }) => state)
  }
  await expect.poll(states, { timeout: 20_000 }).not.toContain('building')
}

const sort = (field: string) => ({ field, use: 'sort' as const, direction: 'asc' as const })

/** The definitions of the added indexes in the database. */
const stored = async () => {
  const found = await rows<{ text: string }>(
    deps.db,
    sql`select regexp_replace(indexdef, '^.* ON entities.', '') as text from pg_indexes where indexname like 'ax\\_%' order by 1`,
  )
  return found.map(({ text }) => text)
}

describe('an added index', () => {
  test('stays when fields and indexes of the definition come and go', async () => {
    await start({ fields: [sort('name')] }, { fields: ['code'], kind: 'trigram' })
    const before = await stored()
    expect(before).toHaveLength(2)
    const { body } = await install(
      deps,
      version([NAME, { ...CODE, indexed: true }, { name: 'more', type: 'integer' }], {
        indexes: [{ fields: ['name'] }],
      }),
    )
    expect(body.data.failedCount).toBe(0)
    expect(await stored()).toEqual(before)
  })

  test('follows its field to another type, and goes where the type can not have it', async () => {
    await start({ fields: [sort('name')] }, { fields: ['name'], kind: 'trigram' })
    const { body } = await install(deps, version([{ name: 'name', type: 'integer' }, CODE]))
    expect(body.data.failedCount).toBe(0)
    expect(await stored()).toEqual(['thing USING btree (name, id)'])
    const { meta } = await giveAdvice(deps, 'Thing')
    expect(meta.indexes.map(({ kind, state }) => [kind, state])).toEqual([
      ['btree', 'ready'],
      ['trigram', 'failed'],
    ])
    await install(deps, version([NAME, CODE]))
    await built()
    expect(await stored()).toHaveLength(2)
  })

  test('goes with a field that is no longer served, and comes back with it', async () => {
    await start({ fields: ['code'] })
    await install(deps, version([NAME]))
    expect(await stored()).toEqual([])
    await install(deps, version([NAME, CODE]))
    await built()
    expect(await stored()).toEqual(['thing USING btree (code, id)'])
  })

  test('of an undeclared field becomes one of its column when it is declared', async () => {
    await install(deps, version([NAME], {}, [{ name: '1', size: 3 }]))
    await add({ fields: [sort('size')] })
    await built()
    expect((await stored())[0]).toContain('jsonb_typeof')
    const { body } = await install(deps, version([NAME, { name: 'size', type: 'integer' }]))
    expect(body.data.failedCount).toBe(0)
    expect(await stored()).toEqual(['thing USING btree (size, id)'])
  })

  test('is made again with a table that is made again', async () => {
    await install(deps, version([NAME, CODE]))
    await add({ fields: ['code'] })
    await built()
    const { body } = await install(deps, version([NAME, CODE], { dbTable: 'moved' }))
    expect(body.data.failedCount).toBe(0)
    expect(await stored()).toEqual(['moved USING btree (code, id)'])
  })
})

test('a dry run foresees what unique added indexes refuse and which ones change, and leaves them alone', async () => {
  await start({ fields: ['code'], unique: true }, { fields: [sort('name')] })
  const next = version([{ name: 'name', type: 'integer' }, CODE], {}, [{ name: 4, code: 'c1' }])
  const before = await databaseState(deps.db)
  const preview = await upload(deps, next, { query: '?dryRun=true' })
  expect(await databaseState(deps.db)).toEqual(before)
  expect(await stored()).toHaveLength(2)
  const { logs } = await install(deps, next)
  const essence = (
    files: { path: string; status: string; error: string | null; changes: unknown }[],
  ) => files.map(({ path, status, error, changes }) => ({ path, status, error, changes }))
  expect(essence(preview.body.data[0].files)).toEqual(essence(logs as never))
  expect(logs.at(-1)).toMatchObject({ status: 'failed', error: 'Conflict Issue!' })
  expect(JSON.stringify(logs)).toContain(
    'Drop the index on entities.thing (name, id) for natural order',
  )
})
