import { beforeAll, expect, test } from 'vitest'
import { GET } from '@/app/api/entities/[entityName]/route'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { POST } from './route'

const deps = currentDeps()
let headers: Record<string, string>

const properties = [
  { name: 'name', type: 'string' },
  { name: 'age', type: 'integer' },
  { name: 'small', type: 'smallint' },
  { name: 'score', type: 'double' },
  { name: 'price', type: 'decimal' },
  { name: 'active', type: 'boolean' },
  { name: 'born', type: 'date' },
  { name: 'seen', type: 'datetime' },
  { name: 'opens', type: 'time' },
  { name: 'info', type: 'json' },
  { name: 'address', type: 'object' },
  { name: 'tags', type: 'array' },
]

const records = [
  {
    ...{ id: 1, name: 'John Doe', age: 18, small: 1, score: 0.1, price: 9.99, active: true },
    ...{ born: '2000-02-29', seen: '2024-01-01T00:00:00Z', opens: '08:30:00', info: 5 },
    ...{ address: { city: 'Rome', zip: { code: '00184' } }, tags: ['red', 'Blue'], mood: 'happy' },
  },
  {
    ...{ id: 2, name: 'john 100%', age: 65, small: -2, score: -1e300, price: 10, active: false },
    ...{ born: '2024-01-01', seen: '2024-01-01T10:15:30.123Z', opens: '17:00', info: '5' },
    ...{ address: { city: 'rome' }, tags: [5, true], mood: 7, 'a.b': 'dotted' },
  },
  {
    ...{ id: 3, name: 'a_b\\c', age: 9, info: { k: [1, { x: 'deep' }] }, tags: [] },
    mood: { level: 10 },
  },
  { id: 4, name: 'Élan, "vital"', info: ['x', 7], mood: null },
  { id: 5 },
]

beforeAll(async () => {
  await testDeps()
  await installTestEntity(deps, { entity: { name: 'Thing' }, schema: { properties } }, records)
  headers = { authorization: `Bearer ${await testKey(deps, ['VIEWER'])}` }
})

const params = { entityName: 'Thing' }
const idsOf = ({ status, body }: Awaited<ReturnType<typeof call>>) =>
  status === 200 ? body.data.map(({ id }: JsonObject) => id) : body.error

const byUrl = async (filter: string) => {
  const search = new URLSearchParams({ filter })
  return idsOf(await call(deps, GET, { path: `/api/entities/Thing?${search}`, params, headers }))
}

const byBody = async (condition: object) => {
  const path = '/api/entities/Thing/search'
  const body = { query: [condition] }
  return idsOf(await call(deps, POST, { method: 'POST', path, params, headers, body }))
}

const ALL = [1, 2, 3, 4, 5]

test.each<[filter: string, ids: number[]]>([
  // text
  ['name:eq:John Doe', [1]],
  ['name:eq:john doe', []],
  ['name:ne:John Doe', [2, 3, 4, 5]],
  ['name:NE:"John Doe"', [2, 3, 4, 5]],
  ['name:gt:john 20', [1, 2]],
  ['name:lt:B', [3]],
  ['name:gte:JOHN DOE', [1]],
  ['name:lte:"a_b\\\\c"', [3]],
  ['name:between:b|john doe', [1, 2, 4]],
  ['name:in:John Doe|"a_b\\\\c"|null', [1, 3, 5]],
  ['name:nin:John Doe|null', [2, 3, 4]],
  ['name:nin:John Doe', [2, 3, 4, 5]],
  ['name:like:john', [2]],
  ['name:like:john%', [2]],
  ['name:like:%Doe', [1]],
  ['name:like:J%n%e', [1]],
  ['name:ilike:john', [1, 2]],
  ['name:ilike:JOHN%', [1, 2]],
  ['name:ilike:%DOE', [1]],
  ['name:ilike:élan', [4]],
  ['name:ilike:%', [1, 2, 3, 4]],
  ['name:like:_', [3]],
  ['name:like:\\', [3]],
  ['name:contains:%', [2]],
  ['name:contains:a_b\\', [3]],
  ['name:contains:_ohn', []],
  ['name:icontains:DOE', [1]],
  ['name:contains:DOE', []],
  ['name:starts:john', [2]],
  ['name:istarts:john', [1, 2]],
  ['name:starts:%', []],
  ['name:ends:100%', [2]],
  ['name:ends:doe', []],
  ['name:iends:doe', [1]],
  ['name:eq:"Élan, \\"vital\\""', [4]],
  ['name:isnull', [5]],
  ['name:notnull', [1, 2, 3, 4]],
  ['name:eq:null', [5]],
  ['name:ne:null', [1, 2, 3, 4]],
  ['name:eq:"null"', []],
  ['name:eq:', []],
  ['name:ilike:', [1, 2, 3, 4]],
  ['name:matches:^[Jj]ohn\\b', [1, 2]],
  // finer than what is stored
  ['seen:lt:2024-01-01T00:00:00.0001Z', [1]],
  ['seen:lte:2024-01-01T10:15:30.1230009Z', [1, 2]],
  ['seen:eq:2024-01-01T00:00:00.0009Z', []],
  ['seen:eq:2024-01-01T00:00:00.0000009Z', [1]],
  ['seen:gt:2024-01-01T02:00:00.000001+02:00', [2]],
  ['seen:in:2024-01-01T10:15:30.123456Z|2024-01-01T00:00:00.000000Z', [1]],
  ['born:eq:2024-01-01T00:00:00.0001Z', []],
  ['born:lt:2024-01-01T00:00:00.0001Z', [1, 2]],
  ['name:matches:"(?i)DOE$"', [1]],
  // numbers
  ['age:eq:18', [1]],
  ['age:eq: 18 ', [1]],
  ['age:eq:18.0', [1]],
  ['age:eq:18.5', []],
  ['age:ne:18', [2, 3, 4, 5]],
  ['age:gt:9', [1, 2]],
  ['age:gt:8.5', [1, 2, 3]],
  ['age:gte:18', [1, 2]],
  ['age:lt:18', [3]],
  ['age:lte:18', [1, 3]],
  ['age:between:18|65', [1, 2]],
  ['age:between:65|18', []],
  ['age:in:9|65|1e300', [2, 3]],
  ['age:nin:9|65', [1, 4, 5]],
  ['age:isnull', [4, 5]],
  ['age:lt:99999999999999999999999', [1, 2, 3]],
  ['age:eq:99999999999999999999999', []],
  ['small:lt:100000', [1, 2]],
  ['small:eq:-2', [2]],
  ['score:eq:0.1', [1]],
  ['score:lt:-1e299', [2]],
  ['score:in:0.1|7', [1]],
  ['score:gt:1e-400', [1]],
  ['price:eq:9.990', [1]],
  ['price:eq:10.00', [2]],
  ['price:between:9.985|9.995', [1]],
  ['price:lt:1e500', [1, 2]],
  // booleans
  ['active:eq:true', [1]],
  ['active:eq:FALSE', [2]],
  ['active:ne:true', [2, 3, 4, 5]],
  ['active:in:true|false', [1, 2]],
  ['active:nin:true', [2, 3, 4, 5]],
  ['active:isnull', [3, 4, 5]],
  // dates and times
  ['born:eq:2000-02-29', [1]],
  ['born:eq:2000-02-29T00:00:00Z', [1]],
  ['born:eq:2000-02-29T00:00:01Z', []],
  ['born:gt:2000-02-28T23:59:59Z', [1, 2]],
  ['born:lt:2024-01-01', [1]],
  ['born:in:2024-01-01|2000-02-29', [1, 2]],
  ['born:between:2000-01-01|2023-12-31', [1]],
  ['seen:eq:2024-01-01', [1]],
  ['seen:eq:2024-01-01T10:15:30.123', [2]],
  ['seen:eq:2024-01-01T12:15:30.123+02:00', [2]],
  ['seen:eq:2024-01-01T12:15:30.123 02:00', [2]],
  ['seen:eq:1704067200000', [1]],
  ['seen:gte:2024-01-01T00:00:00.001Z', [2]],
  ['seen:between:2024-01-01|2024-01-02', [1, 2]],
  ['seen:nin:2024-01-01', [2, 3, 4, 5]],
  ['opens:eq:08:30', [1]],
  ['opens:gt:08:30:00', [2]],
  ['opens:between:08:00|09:00', [1]],
  // JSON
  ['info:eq:5', [1, 2]],
  ['info:eq:5.0', [1]],
  ['info:gt:4', [1, 2]],
  ['info:gt:10', []],
  ['info:lt:zzz', [1, 2]],
  ['info:in:5|x', [1, 2]],
  ['info:contains:x', [3, 4]],
  ['info:contains:7', [4]],
  ['info:icontains:X', [3, 4]],
  ['info:icontains:DEEP', [3]],
  ['info:eq:"[\\"x\\", 7]"', [4]],
  ['info.k:eq:"[1, {\\"x\\":\\"deep\\"}]"', [3]],
  ['info.k.0:eq:1', [3]],
  ['info.k.1.x:eq:deep', [3]],
  ['info.k.9:isnull', ALL],
  ['info.k:notnull', [3]],
  ['info:isnull', [5]],
  ['info:ne:5', [3, 4, 5]],
  ['address.city:eq:Rome', [1]],
  ['address.city:ilike:ROME', [1, 2]],
  ['address.city:gte:rome', [1, 2]],
  ['address.zip.code:starts:00', [1]],
  ['address.zip.code:isnull', [2, 3, 4, 5]],
  ['address:eq:"{\\"city\\":\\"rome\\"}"', [2]],
  ['address:icontains:ROME', [1, 2]],
  ['tags:contains:red', [1]],
  ['tags:contains:Red', []],
  ['tags:contains:re', []],
  ['tags:icontains:BLUE', [1]],
  ['tags:contains:5', [2]],
  ['tags:contains:true', [2]],
  ['tags:like:re%', [1]],
  ['tags:iends:LUE', [1]],
  ['tags:eq:"[]"', [3]],
  ['tags:in:"[]"|"[5,true]"', [2, 3]],
  ['tags.0:eq:red', [1]],
  ['tags:isnull', [4, 5]],
  // undeclared fields
  ['mood:eq:happy', [1]],
  ['mood:eq:7', [2]],
  ['mood:gt:6.5', [1, 2]],
  ['mood.level:eq:10', [3]],
  ['mood.level:gt:9', [3]],
  ['mood:isnull', [4, 5]],
  ['mood:ne:7', [1, 3, 4, 5]],
  ['a.b:eq:dotted', [2]],
  // several
  ['age:gt:9,active:eq:true', [1]],
  ['persistenceId:in:2|3', [2, 3]],
  ['', ALL],
])('?filter=%s finds %j', async (filter, ids) => {
  expect(await byUrl(filter)).toEqual(ids)
})

test.each<[field: string, operator: string, value: unknown, ids: number[]]>([
  ['name', 'eq', null, [5]],
  ['name', 'eq', 5, []],
  ['name', 'in', [], []],
  ['name', 'nin', [], ALL],
  ['name', 'nin', [null], [1, 2, 3, 4]],
  ['name', 'in', 'John Doe', [1]],
  ['age', 'eq', 18, [1]],
  ['age', 'in', ['18', 65, null], [1, 2, 4, 5]],
  ['age', 'between', ['9', 18], [1, 3]],
  ['age', 'isnull', null, [4, 5]],
  ['active', 'eq', true, [1]],
  ['seen', 'eq', { $date: '2024-01-01T00:00:00Z' }, [1]],
  ['seen', 'eq', 1704067200000, [1]],
  ['info', 'eq', 5, [1, 2]],
  ['info', 'eq', ['x', 7], [4]],
  ['info', 'eq', { k: [1, { x: 'deep' }] }, [3]],
  ['info', 'in', [5, ['x', 7], null], [1, 2, 4, 5]],
  ['tags', 'contains', 5, [2]],
  ['tags', 'contains', 'red', [1]],
  ['tags', 'eq', [], [3]],
  ['tags', 'nin', [[], null], [1, 2]],
  ['address', 'contains', { zip: { code: '00184' } }, [1]],
  ['mood', 'eq', 7, [2]],
  ['mood', 'eq', '7', [2]],
  ['a.b', 'eq', 'dotted', [2]],
])('%s %s %j finds %j', async (field, operator, value, ids) => {
  expect(await byBody({ field, operator, value })).toEqual(ids)
})

test.each<[name: string, condition: object, ids: number[]]>([
  ['or', { operator: 'or', filters: [is('age', 18), is('age', 65)] }, [1, 2]],
  ['not', { operator: 'NOT', filters: [is('age', 18)] }, [2, 3, 4, 5]],
  ['not of several', { operator: 'not', filters: [is('age', 18), is('age', 65)] }, ALL],
  [
    'and within or within not',
    {
      operator: 'not',
      filters: [
        { operator: 'or', filters: [{ operator: 'and', filters: [is('age', 9)] }, is('id', 5)] },
      ],
    },
    [1, 2, 4],
  ],
])('%s combines conditions', async (_, condition, ids) => {
  expect(await byBody(condition)).toEqual(ids)
})

function is(field: string, value: number) {
  return { field, operator: 'eq', value }
}

test.each([
  ['name', '[', /The pattern for "name" is invalid at "\[": a "\[" is not closed/],
  ['name', 'a(?i)b', /The pattern for "name" is not supported: \(\?i\)/],
  ['age', '1', /"matches" does not suit "age"/],
])('matches on %s with %s is refused with the reason', async (field, value, reason) => {
  const path = '/api/entities/Thing/search'
  const body = { query: [{ field, operator: 'matches', value }] }
  const found = await call(deps, POST, { method: 'POST', path, params, headers, body })
  expect(found.status).toBe(400)
  expect(found.body.validations[0].error).toMatch(reason)
})
