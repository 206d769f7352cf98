import fc from 'fast-check'
import { expect, test } from 'vitest'
import { POST as count } from '@/app/api/entities/[entityName]/count/route'
import { budget } from '@/lib/testing/budget'
import { call } from '@/lib/testing/request'
import { type ModelCondition, type ModelSort, searchModel } from '@/lib/testing/search-model'
import type { Json } from '@/lib/values/json'
import { ask, deps, headers, kinds, model, params, valueAt } from './testing/cities'
import { AT_ONCE, several } from './testing/random-searches'

const values: Record<string, Json[]> = {
  number: [1, 3, 6, 60, 68, 12],
  text: ['Italy', 'italy', 'lazio', 'IT', 'City 7', 'Région 2', '', 'Nowhere 9'],
  json: ['x', 5, '5', 'undeclared'],
}
/** One step further they are too far. */
const near = Object.keys(kinds).filter((name) => name.split('.').length < 4)
const testIn = (names: readonly string[]) =>
  fc.constantFrom(...names).chain((field) => {
    const of = fc.constantFrom(...(values[kinds[field] as string] as Json[]))
    return fc.oneof(
      fc.record({
        field: fc.constant(field),
        operator: fc.constantFrom('eq', 'ne', 'gt', 'lte'),
        value: of,
      }),
      fc.record({
        field: fc.constant(field),
        operator: fc.constantFrom('in', 'nin'),
        value: fc.array(of, { maxLength: 3 }),
      }),
      fc.record({ field: fc.constant(field), operator: fc.constantFrom('isnull', 'notnull') }),
    )
  })
const testOf = testIn(Object.keys(kinds))
const condition: fc.Arbitrary<ModelCondition> = fc.oneof(
  testOf,
  fc.record({
    operator: fc.constantFrom('not', 'or', 'and'),
    filters: fc.array(testOf, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    field: fc.constantFrom('CityByTwin', 'partners'),
    operator: fc.constantFrom('some', 'none', 'every'),
    filters: fc.array(testIn(near), { minLength: 1, maxLength: 2 }),
  }),
)
const sorting: fc.Arbitrary<ModelSort[]> = fc.uniqueArray(
  fc.record({
    field: fc.constantFrom(...Object.keys(kinds)),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  }),
  { maxLength: 3, selector: ({ field }) => field },
)

const asked = fc.record({
  query: fc.array(condition, { maxLength: 2 }),
  sort: sorting,
  size: fc.integer({ min: 4, max: 40 }),
  fields: fc.uniqueArray(fc.constantFrom(...Object.keys(kinds)), { minLength: 1, maxLength: 4 }),
})
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never

async function check({ query, sort, size, fields }: Asked): Promise<void> {
  const found = searchModel(model, query, sort)
  const expected = found.map((record) =>
    Object.fromEntries(fields.map((field) => [field, valueAt(record, field)])),
  )
  const data: Json[] = []
  let cursor: string | undefined
  do {
    const { body } = await ask({ query, sort, fields, pagination: { size, cursor } })
    if (!cursor) expect(body.pagination.total).toBe(found.length)
    data.push(...body.data)
    cursor = body.pagination.next
  } while (cursor !== undefined)
  expect(data).toEqual(expected)
  const counted = await call(deps, count, {
    ...{ method: 'POST', path: '/', params, headers },
    body: { query },
  })
  expect(counted.body.data).toEqual([{ count: found.length }])
}

test('conditions, sorts, fields, counts and cursors beyond references follow the model', async () => {
  await fc.assert(
    fc.asyncProperty(several(asked), async (all) => {
      await Promise.all(all.map(check))
    }),
    budget(60 / AT_ONCE, 5),
  )
}, 300_000)
