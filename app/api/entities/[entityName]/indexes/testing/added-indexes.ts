import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { install } from '@/app/api/plugins/testing/plugin-api'
import { addIndex } from '@/lib/advice/add-index'
import { buildIndexes } from '@/lib/advice/build-indexes'
import type { IndexBody } from '@/lib/advice/contract'
import { giveAdvice } from '@/lib/advice/give-advice'
import { rows } from '@/lib/db/sql'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'

/** Added indexes beside those of a definition that changes. */
export const deps = freshDeps()

export const NAME = { name: 'name', type: 'string' }

export const CODE = { name: 'code', type: 'string' }

/** A version of the plugin; the records have numbers as texts, so that every type can hold them. */
export const version = (properties: object[], entity: object = {}, data: object[] = []) =>
  pluginFiles({
    EngineSchemas: { files: { 'Thing.json': { name: 'Thing', properties } } },
    EngineEntities: { files: { 'Thing.json': { name: 'Thing', ...entity } } },
    ...(data.length > 0 ? { Thing: { files: { 'data.json': data } } } : {}),
  })

const RECORDS = ['1', '2', '3'].map((name) => ({ name, code: `c${name}` }))

export const add = (body: Partial<IndexBody> & Pick<IndexBody, 'fields'>) => {
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

export const start = async (...bodies: Parameters<typeof add>[0][]) => {
  await install(deps, version([NAME, CODE], {}, RECORDS))
  for (const body of bodies) await add(body)
  await built()
}

export const built = async () => {
  const states = async () => {
    await buildIndexes(deps)
    return (await giveAdvice(deps, 'Thing')).meta.indexes.map(({ state }) => state)
  }
  await expect.poll(states, { timeout: 20_000 }).not.toContain('building')
}

export const sort = (field: string) => ({ field, use: 'sort' as const, direction: 'asc' as const })

/** The definitions of the added indexes in the database. */
export const stored = async () => {
  const found = await rows<{ text: string }>(
    deps.db,
    sql`select regexp_replace(indexdef, '^.* ON entities.', '') as text from pg_indexes where indexname like 'ax\\_%' order by 1`,
  )
  return found.map(({ text }) => text)
}
