import { writeFileSync } from 'node:fs'
import type { Sql } from 'postgres'
import { type Case, get } from './cases'
import { residentMib } from './cpu'
import { install } from './data'
import { MAX_IDLE_MIB, MAX_START_MS } from './goals'
import { load } from './load'
import type { Options } from './options'
import { PEOPLE, peopleArchive } from './people'
import { readCases } from './read-cases'
import { machine } from './report'
import { quantile } from './rounds'
import type { Server } from './servers'
import { measureWorkers, type Say } from './workers'
import { archiveUpload, writeCases } from './write-cases'

type Start = (more: Record<string, string>) => Promise<Server>
type Call = (n: number) => ReturnType<Case['call']>['engine']

const STARTS = 7
const REQUESTS = 100_000
/** V8 gives memory back when it has had little to do for a while. */
const IDLE_MS = 60_000

/** Start, memory and workers of the server. Returns whether the goals of all are met. */
export async function measureProcess(
  engine: Server,
  start: Start,
  sql: Sql,
  options: Options,
): Promise<boolean> {
  await install(engine, await archiveUpload(await peopleArchive(['Person', 'Member'], PEOPLE)))
  await sql`vacuum (analyze)`
  const lines = [await machine(sql), '', '| measured | result | goal |', '|---|---|---|']
  process.stdout.write(`${lines.join('\n')}\n`)
  let areMet = true
  const say: Say = (title, result, goal, isMet) => {
    lines.push(`| ${title} | **${result}** | ${goal}${isMet ? '' : ' missed'} |`)
    process.stdout.write(`${lines.at(-1)}\n`)
    areMet &&= isMet
  }
  await measureMemory(engine, say)
  await measureStarts(start, say)
  const two = await start({ WEB_CONCURRENCY: '2' })
  await measureWorkers(engine, two, options, say)
  await two.stop()
  const intro = '# The server process\n\nHow to read it: [README.md](README.md). Measured on'
  writeFileSync('bench/process.md', `${intro} ${lines.join('\n')}\n`)
  return areMet
}

async function measureMemory(engine: Server, say: Say): Promise<void> {
  const calls = mixed()
  for (let done = 0; done < REQUESTS; )
    done += (await load(engine.url, calls, { connections: 16, seconds: 5 })).requests
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
  const mib = residentMib(engine.pid) ?? Number.NaN
  const title = `resident memory, idle ${IDLE_MS / 1000} s after ${REQUESTS.toLocaleString('en')} requests`
  say(title, `${mib.toFixed(0)} MiB`, `${MAX_IDLE_MIB} MiB`, mib <= MAX_IDLE_MIB)
}

/** Pages, searches, records by id and creates in turn. */
function mixed(): Call {
  const named = new Map([...readCases([]), ...writeCases].map((one) => [one.name, one.call]))
  const names = [
    'page',
    'filters-remembered',
    'get',
    'filters',
    'contains',
    'get',
    'search',
    'create',
  ]
  const calls = names.flatMap((name) => named.get(name) ?? [])
  return (n) => calls[n % calls.length]?.(n).engine ?? get('/api/health')
}

async function measureStarts(start: Start, say: Say): Promise<void> {
  const times: number[] = []
  for (let n = 0; n < STARTS; n++) {
    const startedAt = performance.now()
    const server = await start({})
    times.push(performance.now() - startedAt)
    await server.stop()
  }
  const time = quantile(times, 0.5)
  const title = `\`npm start\` to the first response, median of ${STARTS}`
  say(title, `${time.toFixed(0)} ms`, `${MAX_START_MS} ms`, time <= MAX_START_MS)
}
