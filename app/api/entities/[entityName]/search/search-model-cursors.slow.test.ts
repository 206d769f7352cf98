import fc from 'fast-check'
import { expect, test } from 'vitest'
import { POST } from '@/app/api/entities/[entityName]/search/route'
import { budget } from '@/lib/testing/budget'
import { call } from '@/lib/testing/request'
import { type ModelCondition, type ModelSort, searchModel } from '@/lib/testing/search-model'
import type { Json } from '@/lib/values/json'
import { AT_ONCE, condition, several, sorting } from './testing/random-searches'
import { deps, headers, idsOf, model, params, type Received } from './testing/things'

const RUNS = 80
const asked = fc.record({
  query: fc.array(condition, { maxLength: 1 }),
  sort: sorting,
  size: fc.integer({ min: 3, max: 30 }),
})

async function walk(query: ModelCondition[], sort: ModelSort[], size: number): Promise<Json[]> {
  const ids: Json[] = []
  let cursor: string | undefined
  do {
    const response: Received = await call(deps, POST, {
      method: 'POST',
      path: '/api/entities/Thing/search',
      params,
      headers,
      body: { query, sort, pagination: { size, cursor } },
    })
    ids.push(...idsOf(response).ids.map((id) => id ?? null))
    cursor = response.body.pagination.next
  } while (cursor !== undefined && ids.length <= model.records.length)
  return ids
}

test('cursors meet all that the model finds, in its order', async () => {
  await fc.assert(
    fc.asyncProperty(several(asked), async (all) => {
      const walks = all.map(({ query, sort, size }) => walk(query, sort, size))
      const found = all.map(({ query, sort }) =>
        searchModel(model, query, sort).map(({ id }) => id),
      )
      expect(await Promise.all(walks)).toEqual(found)
    }),
    budget(RUNS / AT_ONCE, 4),
  )
}, 300_000)
