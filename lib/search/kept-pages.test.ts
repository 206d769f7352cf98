import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { Actor, PolicyRule } from '@/lib/auth/rights'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import type { SearchInput } from './search-input'
import { searchRecords } from './search-records'

const deps = freshDeps()

const NAME = { name: 'name', type: 'string' }
const DUE = { name: 'due', type: 'date', meta: { indexed: true } }

const install = (properties: object[]) =>
  installTestEntity(deps, { entity: { name: 'Task' }, schema: { properties } })

beforeEach(async () => {
  await install([NAME, DUE])
  await deps.db.execute(sql`
    insert into entities.task (name, due)
    select 'Task ' || n, case when n % 4 > 0 then date '2020-01-01' + n / 3 end
    from generate_series(1, 60) as n`)
})

const PAGE: SearchInput = {
  conditions: [],
  conditionsName: 'query',
  sort: [{ field: 'due', direction: 'desc' }],
  page: 0,
  size: 7,
  count: 'none',
}

type Task = { id: number; name?: string; due: string | null; note?: null }

const read = async (input: SearchInput, reader: Actor | null = null) => {
  const { data, pagination } = await searchRecords(deps, 'Task', input, reader)
  return { records: JSON.parse(data) as Task[], next: pagination.next }
}

/** All records, page after page. */
async function readAll(input: SearchInput, reader: Actor | null = null): Promise<Task[]> {
  const first = await read(input, reader)
  const all = [...first.records]
  for (let { next } = first; next; ) {
    const page = await read({ ...input, cursor: { name: 'cursor', cursor: next } }, reader)
    all.push(...page.records)
    next = page.next
  }
  return all
}

const actorWith = (id: string, policies: PolicyRule[]): Actor => ({
  type: 'user',
  id,
  name: `${id}@example.com`,
  userId: id,
  roles: ['Clerk'],
  scopes: null,
  address: null,
  policies,
})

const reading = (policy: Partial<PolicyRule>): PolicyRule => ({
  name: 'Clerks',
  entities: ['task'],
  actions: ['read'],
  allow: true,
  ...policy,
})

test('pages that follow one another have each record once, filled and empty, in both directions', async () => {
  for (const direction of ['desc', 'asc', 'desc'] as const) {
    const found = await readAll({ ...PAGE, sort: [{ field: 'due', direction }] })
    expect(new Set(found.map(({ id }) => id)).size).toBe(60)
    const filled = found.slice(0, 45).map(({ due }) => due ?? '')
    const sorted = [...filled].sort()
    expect(filled).toEqual(direction === 'asc' ? sorted : sorted.reverse())
    expect(found.slice(45).every(({ due }) => due === null)).toBe(true)
  }
})

test('what follows has the fields of a definition that was changed in between', async () => {
  const before = await read(PAGE)
  await read(PAGE)
  await install([NAME, DUE, { name: 'note', type: 'string' }])
  const after = await read(PAGE)
  expect(before.records[0]).not.toHaveProperty('note')
  expect(after.records[0]).toHaveProperty('note', null)
})

const ofName = (value: string): SearchInput => ({
  ...PAGE,
  conditions: [{ field: 'name', operator: 'eq', value }],
  count: 'exact',
})

test('searches of one form with other values each find their own, together too', async () => {
  const names = Array.from({ length: 24 }, (_, n) => `Task ${n % 12}`)
  const found = await Promise.all(names.map((name) => read(ofName(name))))
  expect(found.map(({ records }) => records.map(({ name }) => name))).toEqual(
    names.map((name) => (name === 'Task 0' ? [] : [name])),
  )
  for (const name of ['Task 13', 'Task 14'])
    expect((await read(ofName(name))).records).toMatchObject([{ name }])
  for (const length of [1, 3, 2]) {
    const value = Array.from({ length }, (_, n) => `Task ${n + length}`)
    const conditions = [{ field: 'name', operator: 'in', value }]
    const { records } = await read({ ...ofName(''), conditions })
    expect(records.map(({ name }) => name).sort()).toEqual(value)
  }
})

test('a search by a value has the fields of a definition that was changed in between', async () => {
  for (let n = 0; n < 2; n++) expect((await read(ofName('Task 7'))).records).toHaveLength(1)
  await install([NAME, DUE, { name: 'note', type: 'string' }])
  const { records } = await read(ofName('Task 7'))
  expect(records).toEqual([expect.objectContaining({ name: 'Task 7', note: null })])
})

test('readers of one rule with values of their own find their own, by the same search', async () => {
  const own = reading({ where: [{ field: 'name', operator: 'eq', value: '$me' }] })
  const readers = ['Task 3', 'Task 5'].map((id) => actorWith(id, [own]))
  const input = {
    ...PAGE,
    conditions: [{ field: 'due', operator: 'notnull' }],
    count: 'exact',
  } as const
  for (let n = 0; n < 3; n++)
    for (const reader of readers) {
      const { records } = await read({ ...input, conditions: [...input.conditions] }, reader)
      expect(records.map(({ name }) => name)).toEqual([reader.id])
    }
})

test('readers with other rules have pages of their own, for the same search', async () => {
  const open = actorWith('a', [reading({})])
  const masked = actorWith('b', [
    reading({ fields: ['id', 'due'] }),
    reading({ fields: ['name'], where: [{ field: 'due', operator: 'isnull' }] }),
  ])
  for (let n = 0; n < 3; n++) {
    const all = await readAll(PAGE, open)
    expect(all.filter(({ name }) => name !== undefined)).toHaveLength(60)
    const found = await readAll(PAGE, masked)
    expect(found).toHaveLength(60)
    for (const { due, name } of found) expect(name !== undefined).toBe(due === null)
  }
  // Another rule for the same reader.
  const changed = { ...masked, policies: [reading({ fields: ['id', 'due'] })] }
  for (const { name } of await readAll(PAGE, changed)) expect(name).toBeUndefined()
})
