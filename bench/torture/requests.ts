import { PEOPLE, person } from '../http/people'

/** A request, and what is wrong with its answer: null when it is as it must be. */
export type Checked = {
  kind: 'search' | 'get' | 'insert' | 'update' | 'count'
  method: string
  path: string
  body?: unknown
  check: (status: number, body: Answer) => string | null
}
type Answer = { data: Record<string, unknown>[]; pagination?: { total: number } }

const MEMBER = '/api/entities/Member'

/** 60 % searches with two filters and a sort, 20 % single records, 10 % inserts, 5 % updates, 5 % counts. */
export function mixed(n: number): Checked {
  const turn = n % 20
  if (turn < 12) return search(n)
  if (turn < 16) return get(n)
  if (turn < 18) return insert(n)
  return turn === 18 ? update(n) : count()
}

function search(n: number): Checked {
  const [city, age] = [`City ${n % 100}`, (n * 7) % 60]
  const body = {
    query: [
      { field: 'city', operator: 'eq', value: city },
      { field: 'age', operator: 'gte', value: age },
    ],
    sort: [{ field: 'age', direction: 'asc' }],
    pagination: { page: 0, size: 10 },
  }
  return {
    kind: 'search',
    method: 'POST',
    path: `${MEMBER}/search`,
    body,
    check: expecting(200, ({ data, pagination }) => {
      const ages = data.map((record) => Number(record.age))
      if (data.some((record) => record.city !== city)) return 'a record of another city'
      if (ages.some((value, at) => value < Math.max(age, ages[at - 1] ?? 0))) return `ages ${ages}`
      return data.length === 10 && (pagination?.total ?? 0) > 10 ? null : 'too few records'
    }),
  }
}

function get(n: number): Checked {
  const id = idOf(n)
  return {
    kind: 'get',
    method: 'GET',
    path: `${MEMBER}/${id}`,
    check: expecting(200, ({ data: [record] }) => {
      const { email, city } = person(id)
      return record?.id === id && record.email === email && record.city === city
        ? null
        : `another record: ${JSON.stringify(record)}`
    }),
  }
}

function insert(n: number): Checked {
  const made = person(PEOPLE + n)
  return {
    kind: 'insert',
    method: 'POST',
    path: MEMBER,
    body: made,
    check: expecting(201, ({ data: [record] }) =>
      record?.email === made.email && Number(record.id) > PEOPLE ? null : 'another record',
    ),
  }
}

function update(n: number): Checked {
  const score = n / 8 // exact
  return {
    kind: 'update',
    method: 'PATCH',
    path: `${MEMBER}/${idOf(n)}`,
    body: { score },
    check: expecting(200, ({ data: [record] }) =>
      record?.score === score ? null : `score ${record?.score}`,
    ),
  }
}

function count(): Checked {
  return {
    kind: 'count',
    method: 'GET',
    path: `${MEMBER}/count`,
    check: expecting(200, ({ data: [answer] }) =>
      Number(answer?.count ?? answer?.total) >= PEOPLE ? null : JSON.stringify(answer),
    ),
  }
}

/** Of the records that were there at the start. */
const idOf = (n: number) => 1 + ((n * 7919) % PEOPLE)

const expecting =
  (expected: number, look: (body: Answer) => string | null) => (status: number, body: Answer) =>
    status === expected ? look(body) : `status ${status}: ${JSON.stringify(body).slice(0, 200)}`
