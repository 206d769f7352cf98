import { type Case, get, send } from './cases'
import { PEOPLE } from './people'
import { random, randomInteger } from './random'
import { updateMember } from './write-cases'

const PERSON = '/api/entities/Person'
const NEWEST = 'sort=joined:desc'
/** Of every second, ninth and tenth name. */
const COMMON = ['son', 'John', 'Ander', 'Hopper', 'lsso', 'Barb']
/** With two digits: of every 700th name. */
const LAST_NAMES = [
  'Anderson',
  'Backus',
  'Hopper',
  'Johnson',
  'Kay',
  'Lovelace',
  'Nilsson',
  'Peterson',
]
const MIDDLE = ['Ada Hop', 'Alan Kay', 'Grace Hop', 'Ken Love', 'John And']

/** A position in the order by `joined`: our cursor, and the values that the bare server compares. */
export type Mark = { cursor: string; joined: string; id: number }

export function readCases(marks: Mark[]): Case[] {
  return [...pageCases(), ...filterCases(), ...containsCases(), ...recordCases(marks)]
}

const pageCases = (): Case[] => [
  {
    name: 'page',
    title: 'a page of the first 2,000, sorted, total',
    call: (n) => pageOf(randomInteger(n, 1_999), 5 + (n % 16)),
    equal: 'page',
  },
  {
    name: 'page-remembered',
    title: 'the first page, sorted, total',
    call: () => ({ engine: get(`${PERSON}?${NEWEST}`), bare: get('/page?offset=0') }),
    equal: 'page',
  },
  {
    name: 'deep-page',
    title: 'a page at 80,000 to 100,000, total',
    call: (n) => {
      const size = 5 + (n % 16)
      return pageOf(Math.floor((80_000 + randomInteger(n, 19_900)) / size), size)
    },
    equal: 'page',
  },
  {
    name: 'deep-page-remembered',
    title: 'page 9,000 sorted, total',
    call: () => ({
      engine: get(`${PERSON}?${NEWEST}&page=9000`),
      bare: get('/page?offset=90000'),
    }),
    equal: 'page',
  },
]

const filterCases = (): Case[] => [
  {
    name: 'filters',
    title: 'two filters, total',
    call: (n) => filters(randomInteger(n, 100), momentOf(n + 0.5)),
    equal: 'page',
  },
  {
    name: 'filters-remembered',
    title: 'the same, 100 of them',
    call: (n) => filters(n % 100, '2020-02-01T00:00:00.000Z'),
    equal: 'page',
  },
  {
    name: 'filters-written',
    title: 'two filters, total, of a table that is written 20 times a second',
    call: (n) => filters(randomInteger(n, 100), momentOf(n + 0.5), MEMBER),
    beside: updateMember,
    writes: true,
    equal: 'page',
  },
  {
    name: 'search',
    title: 'nested conditions, total',
    call: (n) => nested(`City ${randomInteger(n, 100)}`, n % 80, random(n + 0.5, MAX_SCORE)),
    equal: 'page',
  },
  {
    name: 'search-remembered',
    title: 'the same, 400 of them',
    call: (n) => nested(`City ${n % 100}`, n % 80, 10_000),
    equal: 'page',
  },
]

const containsCases = (): Case[] => [
  {
    name: 'contains',
    title: 'contains, one in 700, total; bare without a trigram index',
    call: (n) => contains(`${LAST_NAMES[n % 8]} ${10 + (n % 89)}`, '/scanned/contains', n),
    equal: 'page',
  },
  {
    name: 'contains-remembered',
    title: 'contains, one in 72, total; bare without a trigram index',
    call: (n) => contains(MIDDLE[n % MIDDLE.length] ?? '', '/scanned/contains'),
    equal: 'page',
  },
  {
    name: 'contains-many',
    title: 'the same',
    call: (n) => contains(MIDDLE[n % MIDDLE.length] ?? '', '/scanned/contains', n),
    equal: 'page',
  },
  {
    name: 'contains-common',
    title: 'contains, common, total',
    call: (n) => contains(COMMON[n % COMMON.length] ?? '', '/contains', n),
    equal: 'page',
  },
  {
    name: 'contains-common-remembered',
    title: 'the same, 6 of them',
    call: (n) => contains(COMMON[n % COMMON.length] ?? '', '/contains'),
    equal: 'page',
  },
  {
    name: 'contains-rare',
    title: 'contains, rare, total',
    call: (n) => contains(String(10_000 + randomInteger(n, 90_000)), '/contains', n),
    equal: 'page',
  },
]

const recordCases = (marks: Mark[]): Case[] => [
  {
    name: 'cursor',
    title: '50 records after a cursor',
    call: (n) => {
      const { cursor, joined, id } = marks[randomInteger(n, marks.length)] ?? NO_MARK
      const size = 45 + (n % 11)
      return {
        engine: get(`${PERSON}?${NEWEST}&cursor=${cursor}&size=${size}`),
        bare: get(`/after?joined=${joined}&id=${id}&size=${size}`),
      }
    },
    equal: 'records',
  },
  {
    name: 'get',
    title: 'one record by id',
    call: (n) => oneOf(1 + randomInteger(n, PEOPLE)),
    equal: 'records',
  },
]

/** Of people. */
const MAX_SCORE = PEOPLE / 7

const NO_MARK: Mark = { cursor: '', joined: '', id: 0 }

/** An entity and its table's routes of the bare server. */
type Place = { entity: string; prefix: string }
const PEOPLE_READ: Place = { entity: PERSON, prefix: '' }
/** Which are written too. */
export const MEMBER: Place = { entity: '/api/entities/Member', prefix: '/member' }

export const oneOf = (id: number, { entity, prefix } = PEOPLE_READ) => ({
  engine: get(`${entity}/${id}`),
  bare: get(`${prefix}/one?id=${id}`),
})

export const pageOf = (page: number, size: number, { entity, prefix } = PEOPLE_READ) => ({
  engine: get(`${entity}?${NEWEST}&page=${page}&size=${size}`),
  bare: get(`${prefix}/page?offset=${page * size}&size=${size}`),
})

export function filters(city: number, joined: string, { entity, prefix } = PEOPLE_READ) {
  return {
    engine: get(`${entity}?filter=city:eq:City%20${city},joined:gte:${joined}`),
    bare: get(`${prefix}/filters?city=City%20${city}&joined=${joined}`),
  }
}

/** In the time in which people joined. */
export const momentOf = (n: number) =>
  new Date(Date.UTC(2020, 0, 1) + randomInteger(n, PEOPLE * 60_000)).toISOString()

/** `unique` is a condition that always holds, so that nothing can be kept from an earlier request. */
function contains(text: string, path: string, unique?: number) {
  const encoded = encodeURIComponent(text)
  const more = unique === undefined ? '' : `,score:gte:-${unique}`
  const least = unique === undefined ? '' : `&score=-${unique}`
  return {
    engine: get(`${PERSON}?filter=name:contains:${encoded}${more}`),
    bare: get(`${path}?text=${encoded}${least}`),
  }
}

function nested(city: string, age: number, score: number) {
  const test = (field: string, operator: string, value: unknown) => ({ field, operator, value })
  const aged = [test('age', 'between', [age, age + 2]), test('active', 'eq', true)]
  return {
    engine: send('POST', `${PERSON}/search`, {
      query: [
        { operator: 'or', filters: [test('city', 'eq', city), { operator: 'and', filters: aged }] },
        { operator: 'not', filters: [test('score', 'gt', score)] },
      ],
      sort: [{ field: 'joined', direction: 'desc' }],
      pagination: { page: 0, size: 20 },
    }),
    bare: send('POST', '/search', { city, from: age, to: age + 2, active: true, score }),
  }
}
