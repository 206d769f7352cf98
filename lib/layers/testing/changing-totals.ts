import { expect } from 'vitest'
import type { Deps } from '@/lib/deps'
import type { ConditionsInput } from '@/lib/search/read-input'
import { searchRecords } from '@/lib/search/search-records'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'

export const deps = freshDeps()

const properties = [{ name: 'price', type: 'integer' }]
/** Local: totals on the nodes of a cluster are counted, not kept. */
export const install = () =>
  installTestEntity(deps, {
    entity: { name: 'Thing', distribution: 'local' },
    schema: { properties },
  })

/** Numbers that look random, the same in each run. */
export function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

export type Random = (below: number) => number

/** One statement that changes the table, in any of the ways there are. */
export function change(random: Random, withCopy: boolean): string {
  const id = random(300)
  const count = random(30)
  const at = 1000 + random(1_000_000_000)
  switch (random(withCopy ? 9 : 8)) {
    case 0:
    case 1:
    case 2:
      return `insert into entities.thing (id, price) select i, i % 5 from generate_series(${id}, ${id + count}) i on conflict do nothing`
    case 3:
      return `insert into entities.thing (id, price) select i, 1 from generate_series(${id}, ${id + count}) i on conflict (id) do update set price = 2`
    case 4:
      return `update entities.thing set price = ${random(5)} where id between ${id} and ${id + count}`
    case 5:
      return `delete from entities.thing where id between ${id} and ${id + count}`
    case 6:
      return `with gone as (delete from entities.thing where id between ${id} and ${id + 3} returning id)
        insert into entities.thing (id, price) select id + 1000000 + ${random(1_000_000)}, 1 from gone on conflict do nothing`
    case 7:
      return random(4) === 0
        ? 'truncate entities.thing'
        : `delete from entities.thing where price = ${random(5)}`
    default:
      return `copy entities.thing (id) from program 'seq ${at} ${at + count}'`
  }
}

/** What is kept and what there is, in one snapshot. */
export const CHECK = `
  select (select count(*)::text from entities.thing) as counted,
    (select count(*)::text from entities.thing where price = 1) as matching,
    (select md5(string_agg(t::text, ',' order by id)) from entities.thing as t) as content,
    k.total::text as total, k.version
  from engine.current_totals k where relation = 'entities.thing'::regclass`
export type Checked = {
  counted: string
  matching: string
  /** Of all records. */
  content: string | null
  total: string | null
  version: string
}

/** Fails when a total is wrong, or when a version stands for two states. */
export class Versions {
  private readonly states = new Map<string, string>()

  check({ counted, matching, content, total, version }: Checked): void {
    if (total !== null) expect(total, version).toBe(counted)
    const state = `${counted} records, ${matching} match, ${content}`
    expect(this.states.get(version) ?? state, version).toBe(state)
    this.states.set(version, state)
  }

  get size(): number {
    return this.states.size
  }
}

export const MATCHING: ConditionsInput = {
  conditions: [{ field: 'price', operator: 'eq', value: 1 }],
  conditionsName: 'query',
}
export const ALL: ConditionsInput = { conditions: [], conditionsName: 'query' }

export const pageOf = (on: Deps, input: ConditionsInput) =>
  searchRecords(on, 'Thing', { ...input, sort: [], page: 0, size: 2, count: 'exact' })

export const pageTotal = async (on: Deps, input: ConditionsInput) =>
  (await pageOf(on, input)).pagination.total
