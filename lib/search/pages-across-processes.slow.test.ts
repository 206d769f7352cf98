import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundleScript } from '@/lib/testing/bundle-script'
import { testsOnPostgres } from '@/lib/testing/deps'
import { EngineProcess, type Home, makeHome } from '@/lib/testing/engine-process'
import type { Command } from '@/lib/testing/search-child'
import type { SearchPage } from './points'
import type { SearchInput } from './search-input'

const PAGE: SearchInput = {
  conditions: [],
  conditionsName: 'query',
  sort: [],
  page: 0,
  size: 5,
  count: 'exact',
}
const CHEAP: SearchInput = {
  ...PAGE,
  conditions: [{ field: 'price', operator: 'lt', value: 3 }],
}

describe.runIf(testsOnPostgres())('pages and totals of two processes', () => {
  let home: Home
  let processes: EngineProcess[] = []
  beforeAll(async () => {
    const bundle = await bundleScript('lib/testing/search-child.ts')
    home = await makeHome()
    processes = [await EngineProcess.start(bundle, home), await EngineProcess.start(bundle, home)]
    const schema = { properties: [{ name: 'price', type: 'integer' }] }
    await ask(0, { name: 'install', entity: { name: 'Thing' }, schema })
  })
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.kill()))
    await home?.remove()
  })

  const ask = <Reply>(at: number, command: Command) =>
    (processes[at] as EngineProcess).ask<Reply>(command)
  const run = <Row>(at: number, text: string) => ask<Row[]>(at, { name: 'sql', text })
  const search = (at: number, input: SearchInput) =>
    ask<SearchPage>(at, { name: 'search', entityName: 'Thing', input })

  const count = (at: number, { conditions, conditionsName }: SearchInput) =>
    ask<number>(at, {
      name: 'count',
      entityName: 'Thing',
      input: { conditions, conditionsName },
    })

  /** A page as ids and total, read from the table itself. */
  async function truth(where: string) {
    const [found] = await run<{ ids: number[] | null; total: number }>(
      0,
      `select count(*)::int as total, to_jsonb((array_agg(id order by id))[:5]) as ids from entities.thing where ${where}`,
    )
    return { ids: found?.ids ?? [], total: found?.total }
  }
  async function seen(at: number, input: SearchInput) {
    const { data, pagination } = await search(at, input)
    return { ids: JSON.parse(data).map(({ id }: { id: number }) => id), total: pagination.total }
  }

  /** Groups by price with their numbers, and those of the table itself. */
  async function groups(at: number) {
    const aggregate = [{ function: 'COUNT' as const, alias: 'n' }]
    const { data } = await search(at, { ...CHEAP, groupBy: { fields: ['price'], aggregate } })
    return JSON.parse(data)
  }
  const trueGroups = () =>
    run(
      0,
      'select price::int as price, count(*)::int as n from entities.thing where price < 3 group by price order by price',
    )

  const CHANGES: ((n: number, at: number) => Promise<unknown>)[] = [
    (n, at) => ask(at, { name: 'create', entityName: 'Thing', record: { price: n % 5 } }),
    (n, at) =>
      run(
        at,
        `insert into entities.thing (price) select i % 5 from generate_series(1, ${n % 7}) i`,
      ),
    (n, at) => run(at, `update entities.thing set price = (price + 1) % 5 where id % 3 = ${n % 3}`),
    (n, at) => run(at, `delete from entities.thing where id % 11 = ${n % 11}`),
    (_, at) => run(at, 'truncate entities.thing'),
  ]

  test('are those of the last commit, whichever process made it', async () => {
    // The smallest primes make an order that visits all changes from both.
    for (let n = 0; n < 40; n++) {
      const change = CHANGES[n % 13 === 12 ? 4 : (n * 7) % 4]
      await change?.(n, (n * 5) % 3 ? 0 : 1)
      for (const [input, where] of [
        [PAGE, 'true'],
        [CHEAP, 'price < 3'],
      ] as const) {
        const expected = await truth(where)
        for (const at of [0, 1, 0])
          expect(await seen(at, input), `${n}, ${where}`).toEqual(expected)
        for (const at of [0, 1])
          expect(await count(at, input), `${n}, ${where}`).toBe(expected.total)
      }
      for (const at of [0, 1]) expect(await groups(at), `${n}`).toEqual(await trueGroups())
    }
  })

  test('do not lag behind while both write', async () => {
    await run(0, 'truncate entities.thing')
    let committed = 0
    const write = async (at: number) => {
      for (let n = 0; n < 40; n++) {
        await ask(at, { name: 'create', entityName: 'Thing', record: { price: 1 } })
        committed++
        const least = committed
        expect((await seen(1 - at, CHEAP)).total).toBeGreaterThanOrEqual(least)
      }
    }
    await Promise.all([write(0), write(1)])
    for (const at of [0, 1]) expect((await seen(at, PAGE)).total).toBe(80)
  })
})
