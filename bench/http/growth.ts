import { writeFileSync } from 'node:fs'
import type { Sql } from 'postgres'
import { type Call, get, send } from './cases'
import { install } from './data'
import { MAX_GROWTH } from './goals'
import { request } from './load'
import type { Options } from './options'
import { PEOPLE, peopleArchive, person } from './people'
import { machine } from './report'
import { quantile } from './rounds'
import type { Server } from './servers'
import { archiveUpload } from './write-cases'

/** Entities by their number of records. */
const SIZES = { Small: 10_000, Medium: 100_000, Large: 1_000_000 }
type Name = keyof typeof SIZES
const NAMES = Object.keys(SIZES) as Name[]
const CALLS = 40

type GrowthCase = {
  title: string
  call: (entity: Name, n: number) => Call
  /** Before each call: creates a record, so that nothing from earlier requests can serve it. */
  isAfterWrite?: boolean
  isGoal?: boolean
}

const HEAD = [
  '| read | 10 thousand | 100 thousand | 1 million records | grows by | goal |',
  '|---|---|---|---|---|---|',
].join('\n')

/**
 * How long reads take by the number of records in the table, one at a time, of each size in turn. Returns
 * whether none grows by more than the goal.
 */
export async function measureGrowth(engine: Server, sql: Sql, options: Options): Promise<boolean> {
  await install(engine, await archiveUpload(await peopleArchive(NAMES, 1)))
  for (const name of NAMES) await fill(sql, name)
  const lines = [await machine(sql), '', HEAD]
  process.stdout.write(`${lines.join('\n')}\n`)
  let isFlat = true
  for (const shape of await shapes(engine)) {
    const times = await measure(engine, shape, options.rounds * CALLS)
    const growth = (times.at(-1) ?? 0) / (times[0] ?? 1)
    const isMissed = shape.isGoal === true && growth > MAX_GROWTH
    const goal = shape.isGoal ? `${MAX_GROWTH}${isMissed ? ' missed' : ''}` : ''
    const cells = [shape.title, ...times.map((time) => `${time.toFixed(2)} ms`), growth.toFixed(2)]
    lines.push(`| ${cells.join(' | ')} | ${goal} |`)
    process.stdout.write(`${lines.at(-1)}\n`)
    if (isMissed) isFlat = false
  }
  const intro =
    '# How reads grow with the table\n\nHow to read it: [README.md](README.md). Measured on'
  writeFileSync('bench/growth.md', `${intro} ${lines.join('\n')}\n`)
  return isFlat
}

/** From outside: quicker than an install. */
async function fill(sql: Sql, name: Name): Promise<void> {
  const table = sql(`entities.${name.toLowerCase()}`)
  await sql`
    insert into ${table} (name, email, age, score, active, joined, city)
    select 'Grace Hopper ' || n, 'person.' || n || '@example.com', n / 100 % 90, n / 7.0, n % 3 = 0,
      timestamptz '2020-01-01Z' + n::bigint * 7919 % 1000003 * interval '1 minute', 'City ' || n % 100
    from generate_series(2, ${SIZES[name]}::int) as n`
  await sql`vacuum (analyze) ${table}`
}

async function shapes(engine: Server): Promise<GrowthCase[]> {
  const newest = (name: string) => `/api/entities/${name}?sort=joined:desc`
  const cursors = new Map<string, string>()
  for (const name of NAMES) {
    const middle = get(`${newest(name)}&page=${SIZES[name] / 20 - 1}`)
    const { pagination } = await (await request(engine.url, middle)).json()
    cursors.set(name, pagination.next)
  }
  const rare = (name: Name, n: number) =>
    `/api/entities/${name}?filter=name:ilike:${SIZES[name] - ((n * 7919) % (SIZES[name] / 2))}`
  const goal = { isGoal: true, isAfterWrite: true }
  return [
    { ...goal, title: 'page 0', call: (name) => get(`${newest(name)}&count=none`) },
    {
      ...goal,
      title: 'after a cursor in the middle',
      call: (name) => get(`${newest(name)}&cursor=${cursors.get(name)}`),
    },
    { ...goal, title: 'page 0 with total', call: (name) => get(newest(name)) },
    {
      ...goal,
      title: 'rare `ilike`',
      call: (name, n) => get(`${rare(name, n)}&count=none`),
    },
    { ...goal, title: 'rare `ilike` with total', call: (name, n) => get(rare(name, n)) },
    { title: 'page 0 with total, remembered', call: (name) => get(newest(name)), isGoal: true },
    {
      title: 'page in the middle, with total',
      call: (name) => get(`${newest(name)}&page=${SIZES[name] / 20 - 1}`),
      isAfterWrite: true,
    },
  ]
}

/** Medians in ms, in the order of the sizes. */
async function measure(engine: Server, { call, isAfterWrite }: GrowthCase, calls: number) {
  const times = NAMES.map((): number[] => [])
  for (let n = -CALLS / 4; n < calls; n++)
    for (const [at, name] of NAMES.entries()) {
      if (isAfterWrite) await succeed(engine, create(name))
      const startedAt = performance.now()
      await succeed(engine, call(name, Math.abs(n)))
      if (n >= 0) times[at]?.push(performance.now() - startedAt)
    }
  return times.map((found) => quantile(found, 0.5))
}

let created = 0

/** Of a name that no search finds, joined before everybody else: no page that is measured contains it. */
function create(name: Name): Call {
  const record = { ...person(PEOPLE), name: `New ${created++}`, joined: '2010-01-01T00:00:00Z' }
  return send('POST', `/api/entities/${name}`, record)
}

async function succeed(engine: Server, call: Call): Promise<void> {
  const response = await request(engine.url, call)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
}
