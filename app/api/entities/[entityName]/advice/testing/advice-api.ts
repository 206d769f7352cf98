import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { POST as search } from '@/app/api/entities/[entityName]/search/route'
import { buildIndexes } from '@/lib/advice/build-indexes'
import type { Deps } from '@/lib/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import { DELETE as dropIndex } from '../../indexes/[name]/route'
import { POST as createIndex } from '../../indexes/route'
import { GET as getAdvice } from '../route'

const params = { entityName: 'Town' }

const TOWN = {
  entity: { name: 'Town', indexes: [{ fields: ['zip'] }] },
  schema: {
    additionalProperties: true,
    properties: [
      { name: 'name', type: 'string' },
      { name: 'country', type: 'string' },
      { name: 'people', type: 'integer' },
      { name: 'zip', type: 'integer' },
      { name: 'tags', type: 'array' },
    ],
  },
}

/** For tests: an entity of towns, and an administrator who searches it and adds indexes. */
export async function startAdviceApi(deps: Deps) {
  await installTestEntity(deps, TOWN, [{ name: 'Ash', country: 'x', people: 1, colour: 'red' }])
  const authorization = `Bearer ${await testKey(deps, ['ADMIN'])}`
  const headers = { authorization }

  const fill = async (count: number) => {
    await deps.db.execute(sql`insert into entities.town (name, country, people, zip, "$extra")
      select 'Town ' || i, 'c' || i % 50, i, i, jsonb_build_object('colour', 'c' || i % 100) from generate_series(1, ${count}::int) i`)
    await deps.db.execute(sql`analyze entities.town`)
  }

  const find = (body: object) =>
    call(deps, search, { method: 'POST', path: '/api/entities/Town/search', headers, body, params })

  const advice = async () => {
    const { status, body } = await call(deps, getAdvice, {
      path: '/api/entities/Town/advice',
      headers,
      params,
    })
    expect(status).toBe(200)
    return body
  }

  const create = (body: object, more: Record<string, string> = {}) =>
    call(deps, createIndex, {
      method: 'POST',
      path: '/api/entities/Town/indexes',
      headers: { ...headers, ...more },
      body,
      params,
    })

  const drop = (name: string) =>
    call(deps, dropIndex, {
      method: 'DELETE',
      path: `/api/entities/Town/indexes/${name}`,
      headers,
      params: { ...params, name },
    })

  /** Waits until the background has built what is to be built. */
  const built = async () => {
    const isBuilt = async () => {
      await buildIndexes(deps)
      const { indexes } = (await advice()).meta
      return indexes.every(({ state }: { state: string }) => state !== 'building')
    }
    await expect.poll(isBuilt, { timeout: 20_000 }).toBe(true)
  }

  return { fill, find, advice, create, drop, built }
}

export const byCountry = (value: string, direction: 'asc' | 'desc' = 'desc') => ({
  query: [{ field: 'country', operator: 'eq', value }],
  sort: [{ field: 'name', direction }],
})
