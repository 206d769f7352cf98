import { beforeAll, expect, test } from 'vitest'
import { definePolicy } from '@/lib/policies/define-policy'
import { parsePolicy } from '@/lib/policies/parse-policy'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { Json, JsonObject } from '@/lib/values/json'
import { DELETE } from '../batch/route'
import { POST as COUNT } from '../count/route'
import { GET } from '../route'
import { POST } from './route'

const deps = currentDeps()
let headers: Record<string, string>

const found = (weight: string, language?: string) => ({ searchable: { weight, language } })
const properties = [
  { name: 'title', type: 'string', meta: found('A') },
  { name: 'body', type: 'text', meta: found('C', 'english') },
  { name: 'secret', type: 'string', meta: found('B') },
]
const RECORDS: JsonObject[] = [
  { id: 1, title: 'Château Rouge', body: 'Two houses in the hills', secret: 'sapphire' },
  { id: 2, title: 'Le rouge et le noir', body: 'A castle, unlike the other', secret: null },
  { id: 3, title: 'Straße nach Łódź', body: null, secret: 'opal' },
  { id: 4, title: 'Οδυσσεύς και ΛΌΓΟΣ', body: null, secret: null },
  { id: 5, title: 'Isparta ve İstanbul 1923', body: 'Gold', secret: null },
  { id: 6, title: '東京タワー', body: null, secret: null },
  { id: 7, title: 'Green emerald', body: null, secret: null },
  { id: 8, title: 'Bold', body: null, secret: null },
  { id: 9, title: 'Bold', body: null, secret: null },
]

beforeAll(async () => {
  await testDeps()
  await installTestEntity(deps, { entity: { name: 'Typo' }, schema: { properties } }, RECORDS)
  headers = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
})

const params = { entityName: 'Typo' }
const post = (body: object, sent = headers) =>
  call(deps, POST, { method: 'POST', path: '/', params, headers: sent, body })

async function search(q: string, sent = headers) {
  const { status, body } = await post({ q, sort: [{ field: 'id' }] }, sent)
  expect([status, body.error]).toEqual([200, undefined])
  return [body.meta.corrected, body.data.map(({ id }: JsonObject) => id)]
}

// The nodes of a cluster are asked by another statement than one server.
test.each<[typed: string, corrected: string | undefined, ids: number[]]>([
  ['chateua', 'chateau', [1]],
  ['Châteaux Rouge', 'chateau Rouge', [1]],
  ['ruoge nori', 'rouge noir', [2]],
  ['"noir ruoge"', undefined, []],
  ['"et le nior"', '"et le noir"', [2]],
  ['ruoge -noir', 'rouge -noir', [1]],
  ['the housse', 'the house', [1]],
  ['strase', 'strasse', [3]],
  ['λόγις', 'λογος', [4]],
  ['istambul', 'istanbul', [5]],
  ['chateua rou', 'chateau rou', [1]],
  ['noir xyzzyplugh', undefined, []],
  ['istanbul 1924', undefined, []],
  ['東亰', undefined, []],
  ['rouge emerald', undefined, []],
  ['rogue', 'rouge', [1, 2]],
])('%s', async (typed, corrected, ids) => {
  expect(await search(typed)).toEqual([corrected, ids])
})

test('only what the reader sees of records says what is meant', async () => {
  const allow = async (policy: object) => {
    const parsed = parsePolicy({
      ...{ principals: ['Clerk'], actions: ['read'], entities: ['Typo'] },
      ...{ name: crypto.randomUUID(), ...policy },
    } as Json)
    if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
    await definePolicy(deps.db, parsed.definition, 'test')
  }
  await allow({ where: [{ field: 'id', operator: 'lt', value: 7 }] })
  await allow({
    ...{ allow: false, fields: ['secret'] },
    where: [{ field: 'id', operator: 'ne', value: 1 }],
  })
  const clerk = { authorization: `Bearer ${await testKey(deps, ['Clerk'])}` }
  expect(await search('emreald')).toEqual(['emerald', [7]])
  expect(await search('emreald', clerk)).toEqual([undefined, []])
  expect(await search('vold')).toEqual(['bold', [8, 9]])
  expect(await search('vold', clerk)).toEqual(['gold', [5]])
  expect(await search('opl')).toEqual(['opal', [3]])
  expect(await search('opl', clerk)).toEqual([undefined, []])
  expect(await search('saphire', clerk)).toEqual(['sapphire', [1]])
})

test('conditions hold as well, and a word that others have is right', async () => {
  const query = [{ field: 'id', operator: 'gt', value: 1 }]
  const { body } = await post({ q: 'rogue', query })
  expect([body.meta, body.data.length]).toEqual([{ corrected: 'rouge' }, 1])
  expect((await post({ q: 'chateau', query })).body).toMatchObject({ meta: {}, data: [] })
  expect((await post({ q: 'rouge' })).body.meta).toEqual({})
})

test('a corrected text that would be longer than a text search may be is none', async () => {
  expect(await search(`emrald${' '.repeat(493)}`)).toEqual([
    expect.stringContaining('emerald'),
    [7],
  ])
  expect(await search(`emrald${' '.repeat(494)}`)).toEqual([undefined, []])
})

test('pages go on with the text that was searched for', async () => {
  const first = await post({ q: 'rogue', pagination: { size: 1 } })
  const { next: cursor } = first.body.pagination
  const later = await post({ q: first.body.meta.corrected, pagination: { size: 1, cursor } })
  expect([first, later].map(({ body }) => body.data[0].id).sort()).toEqual([1, 2])
})

test('nothing is corrected on demand, in counts and deletions, and beyond what a search may cost', async () => {
  expect((await post({ q: 'rogue', corrections: false })).body).toMatchObject({
    meta: {},
    data: [],
  })
  const path = '/?q=rogue&corrections=false'
  expect((await call(deps, GET, { path, params, headers })).body.data).toEqual([])
  const query = [{ operator: 'matches-text', value: 'rogue' }]
  expect((await post({ query })).body.data).toEqual([])
  const send = { method: 'POST', path: '/', params, headers, body: { query } }
  expect((await call(deps, COUNT, send)).body.data[0].count).toBe(0)
  const removal = { ...send, method: 'DELETE', body: { entity: 'Typo', query } }
  expect((await call(deps, DELETE, removal)).body.data[0].effected).toBe(0)
  Object.assign(deps.settings, { MAX_SEARCH_COST: 1 })
  expect((await post({ q: 'rogue' })).body).toMatchObject({ meta: {}, data: [] })
})
