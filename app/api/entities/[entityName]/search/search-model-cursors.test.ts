import fc from 'fast-check'
import { expect, test } from 'vitest'
import { POST } from '@/app/api/entities/[entityName]/search/route'
import { call } from '@/lib/testing/request'
import { searchModel } from '@/lib/testing/search-model'
import type { Json } from '@/lib/values/json'
import { condition, sorting } from './testing/random-searches'
import { deps, headers, idsOf, model, params, type Received } from './testing/things'

test('cursors meet all that the model finds, in its order', async () => {
  const path = '/api/entities/Thing/search'
  await fc.assert(
    fc.asyncProperty(
      fc.array(condition, { maxLength: 1 }),
      sorting,
      fc.integer({ min: 3, max: 30 }),
      async (query, sort, size) => {
        const ids: Json[] = []
        let cursor: string | undefined
        do {
          const body = { query, sort, pagination: { size, cursor } }
          const response: Received = await call(deps, POST, {
            method: 'POST',
            path,
            params,
            headers,
            body,
          })
          ids.push(...idsOf(response).ids.map((id) => id ?? null))
          cursor = response.body.pagination.next
        } while (cursor !== undefined && ids.length <= model.records.length)
        expect(ids).toEqual(searchModel(model, query, sort).map(({ id }) => id))
      },
    ),
    { numRuns: 150 },
  )
}, 300_000)
