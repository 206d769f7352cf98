/**
 * Exports of a million records against a bare COPY of the same columns, on PostgreSQL:
 * `BENCH_DATABASE_URL=postgres://… npx tsx bench/export.ts`.
 */
import { CopyStream } from '@/lib/db/copy-out'
import { connectOnce } from '@/lib/db/postgres-connection'
import type { Deps } from '@/lib/deps'
import { exportRecords } from '@/lib/export/export-records'
import { download } from '@/lib/http/download'
import { measure, withMillion } from './million-records'

const COLUMNS = ['id', 'name', 'email', 'age', 'score', 'active', 'joined', 'city']
const MIN_RATIO = 0.5
const MAX_GROWTH_MIB = 100
const ROUNDS = 3

type Format = 'csv' | 'json' | 'xlsx'

async function readExport(deps: Deps, format: Format): Promise<void> {
  const stop = new AbortController()
  const body = { fields: COLUMNS, sort: [] }
  const input = {
    entityName: 'Person',
    body,
    format,
    bom: false,
    reader: null,
    signal: stop.signal,
  }
  const response = await download(await exportRecords(deps, input), {
    stop,
    log: deps.log,
    requestId: 'bench',
  })
  for await (const _ of response.body as unknown as AsyncIterable<Uint8Array>);
}

async function readCopy(url: string): Promise<void> {
  const client = await connectOnce(url)
  const columns = COLUMNS.join(', ')
  const text = `copy (select ${columns} from entities.person) to stdout with (format csv)`
  for await (const _ of client.query(new CopyStream(text)));
  await client.end()
}

const show = (name: string, { seconds, grown }: { seconds: number; grown: number }) =>
  console.log(`${name.padEnd(6)} ${seconds.toFixed(2)} s, grew by ${grown.toFixed(0)} MiB`)

await withMillion(async (deps, url) => {
  await readCopy(url)
  const best = { copy: Number.POSITIVE_INFINITY, csv: Number.POSITIVE_INFINITY }
  let grown = 0
  for (let round = 0; round < ROUNDS; round++) {
    const copy = await measure(() => readCopy(url))
    const csv = await measure(() => readExport(deps, 'csv'))
    show('COPY', copy)
    show('csv', csv)
    best.copy = Math.min(best.copy, copy.seconds)
    best.csv = Math.min(best.csv, csv.seconds)
    grown = Math.max(grown, csv.grown)
  }
  for (const format of ['json', 'xlsx'] as const)
    show(format, await measure(() => readExport(deps, format)))
  const ratio = best.copy / best.csv
  console.log(`csv runs at ${ratio.toFixed(2)} of COPY and grows by ${grown.toFixed(0)} MiB`)
  if (ratio < MIN_RATIO || grown > MAX_GROWTH_MIB) process.exitCode = 1
})
