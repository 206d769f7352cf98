import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { users } from '@/lib/db/schema'
import { definePolicy } from '@/lib/policies/define-policy'
import { parsePolicy } from '@/lib/policies/parse-policy'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { testKey } from '@/lib/testing/request'
import type { Json } from '@/lib/values/json'
import { type Asked, requestsTo } from './testing/taint/requests-to'

/**
 * A clerk who may see the wages of one team asks in every way that counts, with bounds that close in on the wage of somebody
 * else: each answer is the same whatever that wage is, and when there is none.
 */

await testDeps() // handlers need its log
const deps = currentDeps()
const SEEN = 12
/** Of the bisection: the wages that are tried lie between these. */
const [LOW, HIGH] = [0, 1 << 20]
const HIDDEN_ID = 777
let headers: Record<string, string>

beforeAll(async () => {
  await testDeps({ MAX_SEARCH_COST: '3000' })
  const properties = [
    { name: 'id', type: 'integer' },
    { name: 'person', type: 'string', meta: { searchable: true } },
    { name: 'team', type: 'string' },
    { name: 'wage', type: 'integer', meta: { indexed: true } },
  ]
  const entity = { name: 'Wage', pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }] }
  const rows = Array.from({ length: SEEN }, (_, n) => ({
    ...{ id: n, person: `Person ${n}`, team: 'blue', wage: n * 100_000 },
  }))
  await installTestEntity(deps, { entity, schema: { properties } }, rows)
  const where = [{ field: 'team', operator: 'eq', value: '$me.profile.team' }]
  const policy = { name: 'Own team', principals: ['Clerk'], entities: ['Wage'], actions: ['*'] }
  const parsed = parsePolicy({ ...policy, where } as Json)
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
  await definePolicy(deps.db, parsed.definition, 'test')
  const key = await testKey(deps, ['Clerk'])
  await deps.db.update(users).set({ profile: { team: 'blue' } })
  headers = { 'x-engine-apikey': key }
})

/** The wage of somebody of another team; null: there is nobody. */
async function hide(wage: number | null): Promise<void> {
  await deps.db.execute(sql`delete from entities.wage where id = ${HIDDEN_ID}`)
  if (wage !== null)
    await deps.db.execute(
      sql`insert into entities.wage (id, person, team, wage) values (${HIDDEN_ID}, 'Person 777', 'red', ${wage})`,
    )
}

type Question = (bound: number) => Asked

const post = (path: string, body: object, method = 'POST'): Asked => ({
  ...{ method, path: `/api/entities/Wage/${path}`, body },
})
const above = (value: number) => [{ field: 'wage', operator: 'gte', value }]
const paging = (size: number) => ({ pagination: { size } })
const COUNT = { aggregate: [{ function: 'COUNT' }] }
const FIGURES = ['SUM', 'AVG', 'MIN', 'MAX'].map((name) => ({ function: name, field: 'wage' }))

const QUESTIONS: Record<string, Question> = {
  'a count': (bound) => post('count', { query: above(bound) }),
  'a count by URL': (bound) => ({
    ...{ method: 'GET', path: `/api/entities/Wage/count?filter=wage:gte:${bound}` },
  }),
  'a total': (bound) => post('search', { query: above(bound), ...paging(2) }),
  'an estimated total': (bound) =>
    post('search', { query: above(bound), ...paging(2), count: 'estimated' }),
  'whether there is another page': (bound) =>
    post('search', { query: above(bound), ...paging(1), count: 'none' }),
  'a late page': (bound) =>
    post('search', { query: above(bound), pagination: { page: 3, size: 3 } }),
  'the greatest first': (bound) =>
    post('search', { query: above(bound), sort: [{ field: 'wage', direction: 'desc' }] }),
  'the number of groups': (bound) =>
    post('search', { query: above(bound), groupBy: { fields: ['team'], ...COUNT } }),
  'figures of a group': (bound) =>
    post('search', { query: above(bound), groupBy: { aggregate: FIGURES } }),
  'lines of a file': (bound) => post('export?format=csv', { query: above(bound) }),
  'records found anywhere': () => ({ method: 'GET', path: '/api/records?term=Person' }),
  'the record by its key': () => ({ method: 'GET', path: `/api/entities/Wage/${HIDDEN_ID}` }),
}

/** What does not differ between any two answers to the same question. */
const steady = (text: string) => text.replace(/"(timestamp|durationMs)":\d+/g, '')

test.each(Object.entries(QUESTIONS))('%s tells nothing by bisection', async (_, question) => {
  const send = requestsTo(headers)
  /** All that is learnt while the bounds close in as for the wage `guess`. */
  const learn = async (guess: number) => {
    const answers: string[] = []
    for (let [low, high] = [LOW, HIGH]; low < high; ) {
      const middle = Math.ceil((low + high) / 2)
      const { status, text } = await send(question(middle))
      answers.push(`${middle}: ${status} ${steady(text)}`)
      ;[low, high] = guess >= middle ? [middle, high] : [low, middle - 1]
    }
    return answers
  }
  await hide(null)
  const expected = await learn(314_159)
  expect(expected.length).toBeGreaterThan(18)
  for (const wage of [314_159, 0, HIGH]) {
    await hide(wage)
    expect(await learn(314_159)).toEqual(expected)
  }
})

const heavy = (patterns: number) => {
  const filters = Array.from({ length: patterns }, (_, n) => ({
    ...{ field: 'person', operator: 'icontains', value: `on ${n}` },
  }))
  return post('search', { query: [{ operator: 'or', filters }], count: 'estimated' })
}

/** Records of a team, with wages from `from` on. */
const add = (team: string, from: number, count: number, wage: string) =>
  deps.db.execute(
    sql`insert into entities.wage (id, person, team, wage) select n, 'Person ' || n, ${team}, ${sql.raw(wage)}
        from generate_series(${from}::int, ${from + count - 1}::int) n`,
  )

test('neither what searches may cost nor what totals are estimated at tells of many hidden records', async () => {
  const send = requestsTo(headers)
  const learn = async () => {
    await deps.db.execute(sql`analyze entities.wage`)
    const asked = [4, 40, 400].map(heavy).concat(QUESTIONS['an estimated total']?.(1) ?? [])
    const answers: string[] = []
    for (const one of asked) answers.push(steady((await send(one)).text))
    return answers
  }
  await hide(null)
  // More than those whose number is never estimated.
  await add('blue', 1_000, 12_000, 'n')
  const expected = await learn()
  await add('red', 100_000, 20_000, '1 + n % 7')
  expect(await learn()).toEqual(expected)
})
