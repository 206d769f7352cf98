import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { POST as count } from '@/app/api/entities/[entityName]/count/route'
import { GET } from '@/app/api/entities/[entityName]/route'
import { POST } from '@/app/api/entities/[entityName]/search/route'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import {
  type Model,
  type ModelCondition,
  type ModelSort,
  type ModelTest,
  searchModel,
} from '@/lib/testing/search-model'
import type { Json, JsonObject } from '@/lib/values/json'

const deps = currentDeps()
let headers: Record<string, string>

const RUNS = 400

const kinds: Model['kinds'] = {
  id: 'number',
  name: 'text',
  age: 'number',
  tiny: 'number',
  score: 'number',
  price: 'number',
  active: 'boolean',
  born: 'date',
  seen: 'datetime',
  opens: 'time',
  info: 'json',
  tags: 'array',
  mood: 'json',
  'deep.inner': 'json',
  'info.a': 'json',
  'tags.0': 'json',
}

const schema = {
  properties: [
    { name: 'name', type: 'string', searchable: true, indexed: true },
    { name: 'age', type: 'integer', indexed: true },
    { name: 'tiny', type: 'smallint' },
    { name: 'score', type: 'double' },
    { name: 'price', type: 'decimal' },
    { name: 'active', type: 'boolean' },
    { name: 'born', type: 'date' },
    { name: 'seen', type: 'datetime', indexed: true },
    { name: 'opens', type: 'time' },
    { name: 'info', type: 'json' },
    { name: 'tags', type: 'array' },
  ],
}

const words = fc.constantFrom(
  ...['', 'a', 'B', 'b', 'ab', 'aB', 'item 2', 'Item 10', 'item 10', 'é', 'E', 'É', 'Doe, John'],
  ...[
    'x|y',
    '100%',
    'a_b',
    'a\\b',
    '"q"',
    'null',
    'true',
    '5',
    '12',
    '007',
    '-3',
    '1.5',
    'ß',
    ' s ',
  ],
)
const scalars = fc.oneof(words, fc.integer({ min: -9, max: 20 }), fc.boolean(), fc.constant(1.5))
const jsons: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: scalars },
  { weight: 1, arbitrary: fc.array(scalars, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.record({ a: scalars, bb: scalars }, { requiredKeys: [] }) },
)
const date = fc.constantFrom('1999-12-31', '2024-01-01', '2024-02-29', '2024-02-28')
const values: Record<string, fc.Arbitrary<Json>> = {
  name: words,
  age: fc.integer({ min: -5, max: 12 }),
  tiny: fc.integer({ min: -3, max: 3 }),
  score: fc.constantFrom(-1.5, 0, 0.1, 2, 1e10),
  price: fc.constantFrom(0, 9.99, 10, 10.5, -2.25),
  active: fc.boolean(),
  born: date,
  seen: fc.constantFrom('2024-01-01T00:00:00.000Z', '2024-02-28T23:59:59.999Z'),
  opens: fc.constantFrom('08:30', '08:30:30', '17:00'),
  info: jsons,
  tags: fc.array(scalars, { maxLength: 3 }),
  mood: jsons,
  deep: fc.record({ inner: jsons }, { requiredKeys: [] }),
}
const recordOf = fc.record(
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, fc.option(value, { freq: 4 })]),
  ),
  { requiredKeys: [] },
)

let model: Model

beforeAll(async () => {
  await testDeps()
  const records = fc
    .sample(recordOf, { numRuns: 70, seed: 7 })
    .map((record, index) => ({ id: index + 1, ...record }) as JsonObject)
  await installTestEntity(deps, { entity: { name: 'Thing' }, schema }, records)
  model = { kinds, key: 'id', records }
  headers = { authorization: `Bearer ${await testKey(deps, ['VIEWER'])}` }
})

const ordered = ['gt', 'gte', 'lt', 'lte']
const worded = ['like', 'ilike', 'contains', 'icontains', 'starts', 'istarts', 'ends', 'iends']

/** A value for the field in a condition: mostly of the kind that is stored there. */
const valueFor = (field: string): fc.Arbitrary<Json> => {
  if (field === 'id') return fc.integer({ min: 0, max: 71 })
  if (field === 'born' || field === 'seen') return fc.oneof(date, values.seen as fc.Arbitrary<Json>)
  if (['deep.inner', 'info.a', 'tags.0'].includes(field)) return scalars
  return values[field] as fc.Arbitrary<Json>
}
const patterns = fc.oneof(words, fc.constantFrom('%', 'a%', '%b', '%1%', 'i%0', '%m 1%', '_', '\\'))

const testOf: fc.Arbitrary<ModelTest> = fc
  .constantFrom(...Object.keys(kinds))
  .chain((field): fc.Arbitrary<ModelTest> => {
    const kind = kinds[field]
    const value = valueFor(field)
    const atom = kind === 'json' ? scalars : value
    const test = (operators: string[], of: fc.Arbitrary<Json>) =>
      fc.record({ field: fc.constant(field), operator: anyCase(operators), value: of })
    const options: fc.Arbitrary<ModelTest>[] = [
      test(['eq', 'ne'], fc.option(value, { freq: 8 })),
      test(['in', 'nin'], fc.array(fc.option(atomOf(kind, value), { freq: 6 }), { maxLength: 4 })),
      fc.record({ field: fc.constant(field), operator: anyCase(['isnull', 'notnull']) }),
    ]
    if (kind !== 'boolean' && kind !== 'array') {
      options.push(test(ordered, atom))
      options.push(
        test(
          ['between'],
          fc.tuple(atom, atom).map((pair): Json => pair),
        ),
      )
    }
    if (kind === 'text' || kind === 'json' || kind === 'array')
      options.push(test(worded, kind === 'text' ? patterns : fc.oneof(patterns, scalars)))
    return fc.oneof(...options)
  })

const atomOf = (kind: string | undefined, value: fc.Arbitrary<Json>) =>
  kind === 'json' ? scalars : value

const anyCase = (operators: string[]) =>
  fc
    .tuple(fc.constantFrom(...operators), fc.boolean())
    .map(([name, upper]) => (upper ? name.toUpperCase() : name))

const { condition } = fc.letrec<{ condition: ModelCondition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'condition' },
    { weight: 3, arbitrary: testOf },
    {
      weight: 2,
      arbitrary: fc.record({
        operator: fc.constantFrom('and', 'or', 'not'),
        filters: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }),
      }),
    },
  ),
}))

const sorting: fc.Arbitrary<ModelSort[]> = fc.uniqueArray(
  fc.record({
    field: fc.constantFrom(...Object.keys(kinds)),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  }),
  { maxLength: 3, selector: ({ field }) => field },
)
const paging = fc.record({ page: fc.nat(4), size: fc.constantFrom(1, 3, 10, 1000) })

type Asked = { conditions: ModelCondition[]; sort: ModelSort[]; page: number; size: number }

function expected({ conditions, sort, page, size }: Asked) {
  const found = searchModel(model, conditions, sort)
  const pages = Math.ceil(found.length / size)
  return {
    ids: found.slice(page * size, (page + 1) * size).map(({ id }) => id),
    pagination: {
      current: page,
      total: found.length,
      pages,
      first: page === 0 || pages === 0,
      last: page + 1 >= pages,
    },
  }
}

const params = { entityName: 'Thing' }
type Received = {
  status: number
  body: { data: JsonObject[]; pagination: { last: boolean; next?: string } }
}
const idsOf = ({ status, body }: Received) => {
  if (status !== 200) throw new Error(JSON.stringify(body))
  const { next, ...pagination } = body.pagination
  if ((next === undefined) !== pagination.last) throw new Error('A cursor where there is no more')
  return { ids: body.data.map(({ id }) => id), pagination }
}

const byBody = async ({ conditions, sort, page, size }: Asked) => {
  const body = { query: conditions, sort, pagination: { page, size } }
  const path = '/api/entities/Thing/search'
  return idsOf(await call(deps, POST, { method: 'POST', path, params, headers, body }))
}

const byUrl = async ({ sort, page, size, ...asked }: Asked) => {
  const search = new URLSearchParams({ page: String(page), size: String(size) })
  if (asked.conditions.length > 0)
    search.set('filter', (asked.conditions as ModelTest[]).map(conditionText).join(','))
  if (sort.length > 0) search.set('sort', sort.map((one) => `${one.field}:${one.direction}`).join())
  return idsOf(await call(deps, GET, { path: `/api/entities/Thing?${search}`, params, headers }))
}

function conditionText({ field, operator, value }: ModelTest): string {
  if (value === undefined) return `${field}:${operator}`
  const isList = ['in', 'nin', 'between'].includes(operator.toLowerCase())
  const texts = isList ? (value as Json[]).map(valueText) : [valueText(value)]
  return `${field}:${operator}:${texts.join('|')}`
}

function valueText(value: Json): string {
  if (value === null) return 'null'
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const isPlain = typeof value !== 'string' || !/[",|]|^null$/.test(text)
  return isPlain && typeof value !== 'object' ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}

test('nested conditions, sorts and pages return what the model says', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(condition, { maxLength: 3 }),
      sorting,
      paging,
      async (conditions, sort, page) => {
        const asked = { conditions, sort, ...page }
        expect(await byBody(asked)).toEqual(expected(asked))
      },
    ),
    { numRuns: RUNS },
  )
}, 300_000)

test('URL and body return the same, which is what the model says', async () => {
  await fc.assert(
    fc.asyncProperty(
      // The URL has no way to write an empty list.
      fc.array(
        testOf.filter(({ value }) => !Array.isArray(value) || value.length > 0),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
      sorting,
      paging,
      async (conditions, sort, page) => {
        const asked = { conditions, sort, ...page }
        expect(await byUrl(asked)).toEqual(expected(asked))
        expect(await byBody(asked)).toEqual(expected(asked))
      },
    ),
    { numRuns: RUNS },
  )
}, 300_000)

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
      const rest = await total([{ operator: 'NOT', filters: [one] }])
      expect((await total([one])) + rest).toBe(model.records.length)
    }),
    { numRuns: 100 },
  )
}, 300_000)
