import { beforeAll, describe, expect, test } from 'vitest'
import { definePolicy } from '@/lib/policies/define-policy'
import { parsePolicy } from '@/lib/policies/parse-policy'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { Json, JsonObject } from '@/lib/values/json'
import { GET } from '../route'
import { POST } from './route'

const deps = currentDeps()
let headers: Record<string, string>

const found = (weight: string, language?: string) => ({ searchable: { weight, language } })

const properties = [
  { name: 'title', type: 'string', meta: found('A') },
  { name: 'body', type: 'text', meta: found('C', 'english') },
  { name: 'secret', type: 'string', meta: found('B') },
  { name: 'shout', type: 'string', meta: { computed: 'upper(body)', ...found('D') } },
  { name: 'tags', type: 'array', meta: { searchable: true } },
]

const RECORDS: JsonObject[] = [
  { id: 1, title: 'Château-Rouge', body: 'Two houses in the hills', secret: 'ruby' },
  { id: 2, title: 'Le rouge et le noir', body: 'A château, unlike the other', secret: null },
  { id: 3, title: 'Straße nach Łódź', body: null, secret: 'opal' },
  { id: 4, title: 'Οδυσσεύς και ΛΌΓΟΣ', body: 'Greek words', secret: null },
  { id: 5, title: 'Isparta ve İstanbul, ılık', body: null, secret: null },
  { id: 6, title: '東京タワーの夜', body: null, secret: null },
  { id: 7, title: '北京大学', body: null, secret: null },
  { id: 8, title: null, body: '𝒳 houses 😀 of <b>rouge</b>', secret: 'opal' },
]

beforeAll(async () => {
  await testDeps()
  await installTestEntity(deps, { entity: { name: 'Text' }, schema: { properties } }, RECORDS)
  await installTestEntity(deps, { entity: { name: 'Plain' }, schema: { properties: [] } })
  headers = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
})

const post = (body: object, sent = headers, entityName = 'Text') =>
  call(deps, POST, { method: 'POST', path: '/', params: { entityName }, headers: sent, body })

const get = (query: Record<string, string>) =>
  call(deps, GET, {
    path: `/api/entities/Text?${new URLSearchParams(query)}`,
    params: { entityName: 'Text' },
    headers,
  })

const ids = ({ status, body }: Awaited<ReturnType<typeof post>>) => {
  expect([status, body.error]).toEqual([200, undefined])
  return body.data.map(({ id }: JsonObject) => id)
}

const sorted = async (value: string, sent = headers) =>
  ids(await post({ query: [{ operator: 'matches-text', value }], sort: [{ field: 'id' }] }, sent))

describe('words are found', () => {
  test.each<[text: string, ids: number[]]>([
    ['chateau rouge', [1, 2]],
    ['CHÂTEAU ROUGE', [1, 2]],
    ['chateau roug', [1, 2]],
    ['chatea rouge', []],
    ['house', [1, 8]],
    ['"rouge et le"', [2]],
    ['"le rouge"', [2]],
    ['rouge -noir', [1, 8]],
    ['rouge -"le noir"', [1, 8]],
    ['the house', [1, 8]],
    ['strasse lodz', [3]],
    ['STRASSE', [3]],
    ['straße', [3]],
    ['οδυσσευσ', [4]],
    ['λόγος', [4]],
    ['ΛΟΓΟΣ ΟΔΥΣΣΕΎΣ', [4]],
    ['ISPARTA', [5]],
    ['ısparta istanbul', [5]],
    ['ILIK', [5]],
    ['東京', [6]],
    ['京都', []],
    ['タワー', [6]],
    ['大学', [7]],
    ['京', [6, 7]],
  ])('%s', async (text, expected) => {
    expect(await sorted(text)).toEqual(expected)
  })

  test('inside other conditions, and counted', async () => {
    const house = { operator: 'Matches-Text', value: 'house' }
    const filters = [house, { field: 'id', operator: 'eq', value: 7 }]
    const either = await post({ query: [{ operator: 'or', filters }], sort: [{ field: 'id' }] })
    expect(ids(either)).toEqual([1, 7, 8])
    expect(either.body.pagination.total).toBe(3)
    const not = await post({ query: [{ operator: 'not', filters: [house] }] })
    expect(ids(not)).toEqual([2, 3, 4, 5, 6, 7])
  })
})

describe('what people type', () => {
  test('returns the best match first, and can be sorted, paged and continued by rank', async () => {
    expect(ids(await get({ q: 'rouge' }))).toEqual([2, 1, 8])
    const upwards = await post({ q: 'rouge', sort: [{ field: '$rank', direction: 'asc' }] })
    expect(ids(upwards)).toEqual([8, 1, 2])
    expect(ids(await get({ q: 'rouge', sort: 'id:desc' }))).toEqual([8, 2, 1])
    const first = await post({ q: 'rouge', pagination: { size: 2 } })
    expect(ids(first)).toEqual([2, 1])
    const cursor = first.body.pagination.next
    expect(ids(await post({ q: 'rouge', pagination: { size: 2, cursor } }))).toEqual([8])
    const other = await post({ q: 'noir', pagination: { size: 2, cursor } })
    expect(other.status).toBe(400)
  })

  test('shows rank and places of the words on demand, by position and with nothing in the text', async () => {
    const { body } = await get({ q: 'rouge hou', sort: 'id', fields: 'id,$rank,$highlight' })
    expect(body.data).toEqual([
      {
        id: 1,
        $rank: expect.any(Number),
        $highlight: { title: [[8, 13]], body: [[4, 10]], shout: [[4, 10]] },
      },
      {
        id: 8,
        $rank: expect.any(Number),
        $highlight: {
          body: [
            [3, 9],
            [19, 24],
          ],
          shout: [
            [3, 9],
            [19, 24],
          ],
        },
      },
    ])
    const whole = await get({ q: 'rouge' })
    expect(whole.text).not.toMatch(/\$rank|\$highlight|tsvector|\$words/)
    const [tower] = (await get({ q: '東京', fields: '$highlight' })).body.data
    expect(tower).toEqual({
      $highlight: {
        title: [
          [0, 1],
          [1, 2],
        ],
      },
    })
  })

  test('is refused where it says nothing, says too much or can not be carried out', async () => {
    const refused = async (body: object, entity = 'Text') => {
      const { status, body: answer } = await post(body, headers, entity)
      expect(status).toBe(400)
      return answer.error
    }
    for (const q of [
      '',
      ' ',
      "' | !''",
      '\\',
      '!!! & | ( ) :*',
      '-house',
      '--a',
      '"',
      'a'.repeat(501),
      'a '.repeat(21),
    ])
      await refused({ q })
    expect(await refused({ q: 'a\0b' })).toContain('U+0000')
    expect(await refused({ q: 'a' }, 'Plain')).toContain('no field for text search')
    await refused({ query: [{ operator: 'matches-text', value: 1 }] })
    await refused({ query: [{ operator: 'matches-text', field: 'title', value: 'a' }] })
    const many = Array.from({ length: 11 }, () => ({ operator: 'matches-text', value: 'a' }))
    expect(await refused({ query: [{ operator: 'or', filters: many }] })).toContain('at most 10')
    await refused({ sort: [{ field: '$rank' }] })
    await refused({ fields: ['$highlight'] })
    await refused({ q: 'a', sort: [{ field: '$highlight' }] })
    await refused({ q: 'a', query: [{ field: '$rank', operator: 'gt', value: 0 }] })
    await refused({ q: 'a', groupBy: { fields: ['$rank'], aggregate: [{ function: 'COUNT' }] } })
  })

  test('may hold whatever people type', async () => {
    const hostile = [
      "o'rouge",
      "' | !q''",
      'q:* <-> b',
      'a & !b | (c',
      "\\' qouse",
      'q <2> y',
      '7½ €5',
      '"qa" "b',
      '-"x" q',
      'é'.repeat(500),
    ]
    for (const q of hostile) {
      const { status, body } = await get({ q, fields: 'id,$rank,$highlight' })
      expect([q, status, body.meta.corrected ? 0 : body.data.length]).toEqual([q, 200, 0])
    }
  })
})

test('texts that are hidden from the caller are neither searched nor ranked nor marked', async () => {
  const allow = async (policy: object) => {
    const json = {
      principals: ['Clerk'],
      actions: ['read'],
      entities: ['Text'],
      name: crypto.randomUUID(),
      ...policy,
    }
    const parsed = parsePolicy(json as Json)
    if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
    await definePolicy(deps.db, parsed.definition, 'test')
  }
  expect(await sorted('opal')).toEqual([3, 8])
  await allow({ where: [{ field: 'id', operator: 'lt', value: 8 }] })
  await allow({
    allow: false,
    fields: ['secret', 'shout'],
    where: [{ field: 'id', operator: 'ne', value: 1 }],
  })
  const clerk = { authorization: `Bearer ${await testKey(deps, ['Clerk'])}` }
  expect(await sorted('opal', clerk)).toEqual([])
  expect(await sorted('ruby rouge', clerk)).toEqual([1])
  expect(await sorted('strasse -opal', clerk)).toEqual([3])
  const { body } = await post({ q: 'rouge', fields: ['id', '$rank', '$highlight'] }, clerk)
  expect(body.data.map(({ id }: JsonObject) => id).sort()).toEqual([1, 2])
  expect(body.pagination.total).toBe(2)
  const marked = await post({ q: 'strasse', fields: ['$highlight'] }, clerk)
  expect(marked.body.data).toEqual([{ $highlight: { title: [[0, 6]] } }])
})

test('nor does a text that is hidden from all rows decide what is found between others, or what a search may cost', async () => {
  const properties = ['title', 'secret', 'body'].map((name) => ({
    ...{ name, type: 'string', meta: found('A') },
  }))
  const around = { title: 'Le rouge', body: 'et le noir' }
  const records = [null, 'opal', 'ruby '.repeat(300)].map((secret, id) => ({
    ...around,
    id,
    secret,
  }))
  await installTestEntity(deps, { entity: { name: 'Between' }, schema: { properties } }, records)
  const parsed = parsePolicy({
    ...{ name: 'between', principals: ['Reader'], entities: ['Between'], actions: ['read'] },
    fields: { except: ['secret'] },
  } as Json)
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
  await definePolicy(deps.db, parsed.definition, 'test')
  const reader = { authorization: `Bearer ${await testKey(deps, ['Reader'])}` }
  const ask = (q: string) => post({ q, sort: [{ field: 'id' }] }, reader, 'Between')
  expect(ids(await ask('"rouge et"'))).toEqual([0, 1, 2])
  expect(ids(await ask('"le rouge et le" noi'))).toEqual([0, 1, 2])
  expect(ids(await ask('opal'))).toEqual([])
  Object.assign(deps.settings, { MAX_SEARCH_COST: 0.001 })
  expect(ids(await ask('rouge'))).toEqual([0, 1, 2])
})
