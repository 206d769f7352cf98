import fc from 'fast-check'
import { expect, test } from 'vitest'
import { POST as count } from '@/app/api/entities/[entityName]/count/route'
import { budget } from '@/lib/testing/budget'
import { call } from '@/lib/testing/request'
import type { ModelCondition } from '@/lib/testing/search-model'
import { AT_ONCE, condition, paging, RUNS, several, sorting } from './testing/random-searches'
import { byBody, deps, expected, headers, model, params } from './testing/things'

const asked = fc
  .tuple(fc.array(condition, { maxLength: 3 }), sorting, paging)
  .map(([conditions, sort, page]) => ({ conditions, sort, ...page }))

test('nested conditions, sorts and pages return what the model says', async () => {
  await fc.assert(
    fc.asyncProperty(several(asked), async (all) => {
      expect(await Promise.all(all.map(byBody))).toEqual(all.map(expected))
    }),
    budget(RUNS / AT_ONCE, 1),
  )
}, 300_000)

test('a condition and its negation divide the records', async () => {
  const total = async (query: ModelCondition[]) => {
    const path = '/api/entities/Thing/count'
    const { body } = await call(deps, count, {
      method: 'POST',
      path,
      params,
      headers,
      body: { query },
    })
    return (body as { data: [{ count: number }] }).data[0].count
  }
  await fc.assert(
    fc.asyncProperty(condition, async (one) => {
      const negation: ModelCondition = { operator: 'NOT', filters: [one] }
      const [found = 0, rest = 0] = await Promise.all([total([one]), total([negation])])
      expect(found + rest).toBe(model.records.length)
    }),
    budget(30, 2),
  )
}, 300_000)
