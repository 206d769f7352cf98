import type { Sql } from 'postgres'
import { type Call, get } from './cases'
import { install } from './data'
import { MAX_GROWTH } from './goals'
import { request } from './load'
import type { Options } from './options'
import { peopleArchive } from './people'
import { quantile } from './rounds'
import type { Server } from './servers'
import { archiveUpload } from './write-cases'

/** Entities by their number of records. */
const SIZES = { Small: 10_000, Medium: 100_000, Large: 1_000_000 }
const NAMES = Object.keys(SIZES) as (keyof typeof SIZES)[]
const CALLS = 40

type Shape = { title: string; call: (entity: keyof typeof SIZES, n: number) => Call }

/**
 * How long reads take by the number of records in the table, one at a time, of each size in turn. Returns
 * whether none grows by more than the goal.
 */
export async function measureGrowth(ours: Server, sql: Sql, options: Options): Promise<boolean> {
  await install(ours, await archiveUpload(await peopleArchive(NAMES, 1)))
  for (const name of NAMES) await fill(sql, name)
  const growths: number[] = []
  for (const { title, call } of await shapes(ours)) {
    const times = await measure(ours, call, options.rounds * CALLS)
    const [least, , most] = times
    const growth = (most ?? 0) / (least ?? 1)
    const goal = `goal: at most ${MAX_GROWTH}${growth > MAX_GROWTH ? ', missed' : ''}`
    const list = times.map((time) => time.toFixed(1)).join(', ')
    process.stdout.write(`${title}: ${list} ms, grows by ${growth.toFixed(2)} (${goal})\n`)
    growths.push(growth)
  }
  return growths.every((growth) => growth <= MAX_GROWTH)
}

/** From outside: quicker than an install. */
async function fill(sql: Sql, name: keyof typeof SIZES): Promise<void> {
  const table = sql(`entities.${name.toLowerCase()}`)
  await sql`
    insert into ${table} (name, email, age, score, active, joined, city)
    select 'Grace Hopper ' || n, 'person.' || n || '@example.com', n / 100 % 90, n / 7.0, n % 3 = 0,
      timestamptz '2020-01-01Z' + n::bigint * 7919 % 1000003 * interval '1 minute', 'City ' || n % 100
    from generate_series(2, ${SIZES[name]}::int) as n`
  await sql`vacuum (analyze) ${table}`
}

async function shapes(ours: Server): Promise<Shape[]> {
  const newest = (name: string) => `/api/entities/${name}?sort=joined:desc`
  const cursors = new Map<string, string>()
  for (const name of NAMES) {
    const middle = get(`${newest(name)}&page=${SIZES[name] / 20 - 1}`)
    const { pagination } = await (await request(ours.url, middle)).json()
    cursors.set(name, pagination.next)
  }
  const rare = (name: keyof typeof SIZES, n: number) =>
    `/api/entities/${name}?filter=name:ilike:${SIZES[name] - ((n * 7919) % (SIZES[name] / 2))}`
  return [
    { title: 'page 0', call: (name) => get(`${newest(name)}&count=none`) },
    { title: 'cursor', call: (name) => get(`${newest(name)}&cursor=${cursors.get(name)}`) },
    { title: 'page 0 with total', call: (name) => get(newest(name)) },
    { title: 'rare ilike', call: (name, n) => get(`${rare(name, n)}&count=none`) },
    { title: 'rare ilike with total', call: (name, n) => get(rare(name, n)) },
  ]
}

/** Medians in ms, in the order of the sizes. */
async function measure(ours: Server, call: Shape['call'], calls: number): Promise<number[]> {
  const times = NAMES.map((): number[] => [])
  for (let n = -CALLS / 4; n < calls; n++)
    for (const [at, name] of NAMES.entries()) {
      const startedAt = performance.now()
      const response = await request(ours.url, call(name, Math.abs(n)))
      const text = await response.text()
      if (!response.ok) throw new Error(text)
      if (n >= 0) times[at]?.push(performance.now() - startedAt)
    }
  return times.map((found) => quantile(found, 0.5))
}
