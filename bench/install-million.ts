/**
 * `tsx --conditions=react-server bench/install-million.ts`: installs a million records through the
 * real handlers into the database that DATABASE_URL names, while another client searches. Prints the
 * rate, the peak memory of this process and the times of the searches.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GET } from '@/app/api/entities/[entityName]/route'
import { POST } from '@/app/api/plugins/install/zip/route'
import { bootstrap } from '@/lib/bootstrap/bootstrap'
import { getDeps, stopRuntime } from '@/lib/runtime'
import { makeReadings, readingArchive } from './reading-archive'

const RECORDS = Number(process.env.BENCH_RECORDS ?? 1_000_000)
const ARCHIVE = join(tmpdir(), `engine-readings-${RECORDS}.zip`)
const PAUSE_MS = 50
const authorization = `Bearer ${process.env.BOOTSTRAP_API_KEY}`

if (process.argv[2] === 'write') {
  await writeFile(ARCHIVE, await readingArchive(makeReadings(RECORDS)))
  process.exit(0)
}
// In a process of its own, whose memory does not count.
if (!existsSync(ARCHIVE))
  spawnSync(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), 'write'], {
    stdio: 'inherit',
  })

const deps = await getDeps()
await bootstrap(deps)
const times: number[] = []
let isDone = false
const searching = search()
const startedAt = performance.now()
await install()
const seconds = (performance.now() - startedAt) / 1000
isDone = true
await searching
const peakMiB = Math.round(process.resourceUsage().maxRSS / 1024)
const [p50, p95] = [0.5, 0.95].map((part) => Math.round(quantile(times, part)))
process.stdout.write(
  `${RECORDS} records in ${seconds.toFixed(1)} s: ${Math.round(RECORDS / seconds)}/s, peak memory ${peakMiB} MiB; ${times.length} searches meanwhile, p50 ${p50} ms, p95 ${p95} ms\n`,
)
await stopRuntime()
process.exit(0)

async function install(): Promise<void> {
  const body = new FormData()
  body.set('file', new Blob([new Uint8Array(await readFile(ARCHIVE))]), 'readings.zip')
  const url = 'http://bench.local/api/plugins/install/zip'
  const request = new Request(url, { method: 'POST', headers: { authorization }, body })
  const response = await (await POST(request, { params: Promise.resolve({}) })).json()
  if (response.data?.failedCount !== 0) throw new Error(JSON.stringify(response))
}

/** Searches users, as a page of the console does. */
async function search(): Promise<void> {
  const context = { params: Promise.resolve({ entityName: 'EngineUsers' }) }
  while (!isDone) {
    const request = new Request('http://bench.local/api/entities/EngineUsers?size=10', {
      headers: { authorization },
    })
    const sentAt = performance.now()
    const response = await GET(request, context)
    if (!response.ok) throw new Error(await response.text())
    times.push(performance.now() - sentAt)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * part)] ?? Number.NaN
}
