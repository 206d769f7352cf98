/**
 * Measures one database, the one that the environment names, through the real handlers, and prints
 * a line of JSON. A process of its own, so that its peak memory is that of this database alone.
 */
import { sql } from 'drizzle-orm'
import { DELETE } from '@/app/api/entities/[entityName]/batch/route'
import { POST } from '@/app/api/plugins/install/zip/route'
import { bootstrap } from '@/lib/bootstrap/create-first-administrator'
import type { Db } from '@/lib/db/sql'
import { getDeps, stopRuntime } from '@/lib/runtime'
import { COLUMNS, FIELDS, makeReadings, readingArchive } from './reading-archive'

const RECORDS = 100_000
const DELETED = 50_000
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
/** More rounds, since one takes milliseconds and the time of its commit on the disk varies. */
const DELETION_ROUNDS = 3 * ROUNDS

const KEY = process.env.BOOTSTRAP_API_KEY ?? ''
const ENGINE = sql.raw('entities.reading')
const BARE = sql.raw('public.bare')

const deps = await getDeps()
await bootstrap(deps)
const { db } = deps
const readings = makeReadings(RECORDS)
const zip = await readingArchive([readings])
const text = JSON.stringify(readings)

await install()
await db.execute(sql`create table ${BARE} (like ${ENGINE} including all)`)
const inserts = await alternate(
  async () => void (await db.execute(sql`truncate ${ENGINE}, ${BARE}`)),
  install,
  insertBare,
  ROUNDS,
)
const deletions = await alternate(refill, deleteByQuery, deleteBare, DELETION_ROUNDS)
await stopRuntime()
const peakMiB = Math.round(process.resourceUsage().maxRSS / 1024)
process.stdout.write(`${JSON.stringify({ dialect: deps.dialect, inserts, deletions, peakMiB })}\n`)
process.exit(0)

/** Medians in ms of the rounds, in a different order each, after one that does not count. */
async function alternate(
  prepare: () => Promise<void>,
  engine: () => Promise<void>,
  bare: () => Promise<void>,
  rounds: number,
) {
  const times: Record<'engine' | 'bare', number[]> = { engine: [], bare: [] }
  for (let round = 0; round <= rounds; round++) {
    const order = [['engine', engine] as const, ['bare', bare] as const]
    for (const [name, work] of round % 2 ? order : order.reverse()) {
      await prepare()
      const startedAt = performance.now()
      await work()
      if (round > 0) times[name].push(performance.now() - startedAt)
    }
  }
  return { engine: median(times.engine), bare: median(times.bare) }
}

async function install(): Promise<void> {
  const body = new FormData()
  body.set('file', new Blob([zip as BlobPart]), 'bench.zip')
  const headers = { authorization: `Bearer ${KEY}` }
  const request = new Request('http://bench.local/api/plugins/install/zip', {
    method: 'POST',
    headers,
    body,
  })
  const response = await (await POST(request, { params: Promise.resolve({}) })).json()
  if (response.data?.failedCount !== 0) throw new Error(JSON.stringify(response))
}

async function insertBare(): Promise<void> {
  await db.execute(
    sql`insert into ${BARE} (${sql.raw(FIELDS)}) select ${sql.raw(FIELDS)} from jsonb_to_recordset(${text}::jsonb) as r(${sql.raw(COLUMNS)})`,
  )
}

/** Both tables with all records and fresh statistics. */
async function refill(): Promise<void> {
  await db.execute(sql`truncate ${ENGINE}, ${BARE}`)
  await insertBare()
  await db.execute(sql`insert into ${ENGINE} select * from ${BARE}`)
  await upkeep(db)
}

async function upkeep(db: Db): Promise<void> {
  await db.execute(sql`vacuum (analyze) ${ENGINE}`)
  await db.execute(sql`vacuum (analyze) ${BARE}`)
  await db.execute(sql`checkpoint`)
}

async function deleteByQuery(): Promise<void> {
  const query = [{ field: 'id', operator: 'lte', value: DELETED }]
  const request = new Request('http://bench.local/api/entities/Reading/batch', {
    method: 'DELETE',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ entity: 'Reading', query }),
  })
  const response = await DELETE(request, { params: Promise.resolve({ entityName: 'Reading' }) })
  const body = await response.json()
  if (body.data?.[0]?.effected !== DELETED) throw new Error(JSON.stringify(body))
}

async function deleteBare(): Promise<void> {
  await db.execute(sql`delete from ${BARE} where "id" <= ${DELETED}`)
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
