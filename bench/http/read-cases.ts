import { type Case, get, send } from './cases'

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
  return [
    {
      name: 'page',
      title: 'page sorted, total',
      call: () => ({ engine: get(`${PERSON}?${NEWEST}`), bare: get('/page?offset=0') }),
      equal: 'page',
    },
    {
      name: 'page-cold',
      title: 'a page of the first 2,000, total, never the same',
      call: (n) => pageOf((n * 7919) % 1_999, 5 + (n % 16)),
      equal: 'page',
    },
    {
      name: 'filters',
      title: 'two filters, total',
      call: (n) => filters(n % 100, 50),
      equal: 'page',
    },
    {
      name: 'filters-cold',
      title: 'two filters, total, never the same',
      call: (n) => filters(n % 100, 50, n),
      equal: 'page',
    },
    {
      name: 'contains',
      title: 'contains, one in 72, total; bare without a trigram index',
      call: (n) => contains(MIDDLE[n % MIDDLE.length] ?? '', '/contains-by-scan'),
      equal: 'page',
    },
    {
      name: 'contains-many-cold',
      title: 'the same, never the same',
      call: (n) => contains(MIDDLE[n % MIDDLE.length] ?? '', '/contains-by-scan', n),
      equal: 'page',
    },
    {
      name: 'contains-cold',
      title: 'contains, one in 700, total, never the same; bare without a trigram index',
      call: (n) => contains(`${LAST_NAMES[n % 8]} ${10 + (n % 89)}`, '/contains-by-scan', n),
      equal: 'page',
    },
    {
      name: 'contains-common',
      title: 'contains, common, total',
      call: (n) => contains(COMMON[n % COMMON.length] ?? '', '/contains'),
      equal: 'page',
    },
    {
      name: 'contains-common-cold',
      title: 'contains, common, total, never the same',
      call: (n) => contains(COMMON[n % COMMON.length] ?? '', '/contains', n),
      equal: 'page',
    },
    {
      name: 'contains-rare',
      title: 'contains, rare, total, never the same',
      call: (n) => contains(String(10_000 + ((n * 7919) % 90_000)), '/contains'),
      equal: 'page',
    },
    {
      name: 'deep-page',
      title: 'page 9,000 sorted, total',
      call: () => ({
        engine: get(`${PERSON}?${NEWEST}&page=9000`),
        bare: get('/page?offset=90000'),
      }),
      equal: 'page',
    },
    {
      name: 'deep-page-cold',
      title: 'a page at 80,000 to 100,000, total, never the same',
      call: (n) => {
        const size = 5 + (n % 16)
        return pageOf(Math.floor((80_000 + ((n * 7919) % 19_900)) / size), size)
      },
      equal: 'page',
    },
    {
      name: 'cursor',
      title: 'after a cursor',
      call: (n) => {
        const { cursor, joined, id } = marks[n % marks.length] ?? NO_MARK
        return {
          engine: get(`${PERSON}?${NEWEST}&cursor=${cursor}`),
          bare: get(`/after?joined=${joined}&id=${id}`),
        }
      },
      equal: 'records',
    },
    {
      name: 'get',
      title: 'one record by id',
      call: (n) => {
        const id = 1 + ((n * 7919) % 100_000)
        return { engine: get(`${PERSON}/${id}`), bare: get(`/one?id=${id}`) }
      },
      equal: 'records',
    },
    {
      name: 'search',
      title: 'search, nested conditions, total',
      call: (n) => nested(`City ${n % 100}`, n % 80),
      equal: 'page',
    },
  ]
}

const NO_MARK: Mark = { cursor: '', joined: '', id: 0 }

const pageOf = (page: number, size: number) => ({
  engine: get(`${PERSON}?${NEWEST}&page=${page}&size=${size}`),
  bare: get(`/page?offset=${page * size}&size=${size}`),
})

/** `unique` is a condition that always holds, so that nothing can be kept from an earlier request. */
function filters(city: number, age: number, unique?: number) {
  const more = unique === undefined ? '' : `,score:gte:-${unique}`
  const least = unique === undefined ? '' : `&score=-${unique}`
  return {
    engine: get(`${PERSON}?filter=city:eq:City%20${city},age:gte:${age}${more}`),
    bare: get(`/filters?city=City%20${city}&age=${age}${least}`),
  }
}

function contains(text: string, path: string, unique?: number) {
  const encoded = encodeURIComponent(text)
  const more = unique === undefined ? '' : `,score:gte:-${unique}`
  const least = unique === undefined ? '' : `&score=-${unique}`
  return {
    engine: get(`${PERSON}?filter=name:contains:${encoded}${more}`),
    bare: get(`${path}?text=${encoded}${least}`),
  }
}

function nested(city: string, age: number) {
  const test = (field: string, operator: string, value: unknown) => ({ field, operator, value })
  const aged = [test('age', 'between', [age, age + 2]), test('active', 'eq', true)]
  return {
    engine: send('POST', `${PERSON}/search`, {
      query: [
        { operator: 'or', filters: [test('city', 'eq', city), { operator: 'and', filters: aged }] },
        { operator: 'not', filters: [test('score', 'gt', 10_000)] },
      ],
      sort: [{ field: 'joined', direction: 'desc' }],
      pagination: { page: 0, size: 20 },
    }),
    bare: send('POST', '/search', { city, from: age, to: age + 2, active: true, score: 10_000 }),
  }
}
