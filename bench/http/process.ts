import { writeFileSync } from 'node:fs'
import type { Sql } from 'postgres'
import { type Case, get, send } from './cases'
import { residentMib } from './cpu'
import { install } from './data'
import { LEAST_GAIN_OF_WORKERS, MAX_IDLE_MIB, MAX_START_MS } from './goals'
import { load } from './load'
import type { Options } from './options'
import { PEOPLE, peopleArchive, person } from './people'
import { readCases } from './read-cases'
import { machine } from './report'
import { quantile } from './rounds'
import type { Server } from './servers'
import { archiveUpload, writeCases } from './write-cases'

type Start = (more: Record<string, string>) => Promise<Server>
type Call = (n: number) => ReturnType<Case['call']>['ours']

const STARTS = 7
const REQUESTS = 100_000
/** V8 gives memory back when it has had little to do for a while. */
const IDLE_MS = 60_000

/** Start, memory and workers of the server. Returns whether the goals of all are met. */
export async function measureProcess(
  ours: Server,
  start: Start,
  sql: Sql,
  options: Options,
): Promise<boolean> {
  await install(ours, await archiveUpload(await peopleArchive(['Person', 'Member'], PEOPLE)))
  await sql`vacuum (analyze)`
  const lines = [await machine(sql), '', '| measured | result | goal |', '|---|---|---|']
  process.stdout.write(`${lines.join('\n')}\n`)
  let areMet = true
  const say = (title: string, result: string, goal: string, isMet: boolean) => {
    lines.push(`| ${title} | **${result}** | ${goal}${isMet ? '' : ' missed'} |`)
    process.stdout.write(`${lines.at(-1)}\n`)
    areMet &&= isMet
  }
  await measureMemory(ours, say)
  await measureStarts(start, say)
  await measureWorkers(ours, start, options, say)
  const intro = '# The server process\n\nHow to read it: [README.md](README.md). Measured on'
  writeFileSync('bench/process.md', `${intro} ${lines.join('\n')}\n`)
  return areMet
}

type Say = (title: string, result: string, goal: string, isMet: boolean) => void

async function measureMemory(ours: Server, say: Say): Promise<void> {
  const calls = mixed()
  for (let done = 0; done < REQUESTS; )
    done += (await load(ours.url, calls, { connections: 16, seconds: 5 })).requests
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
  const mib = residentMib(ours.pid) ?? Number.NaN
  const title = `resident memory, idle ${IDLE_MS / 1000} s after ${REQUESTS.toLocaleString('en')} requests`
  say(title, `${mib.toFixed(0)} MiB`, `${MAX_IDLE_MIB} MiB`, mib <= MAX_IDLE_MIB)
}

/** Pages, searches, records by id and creates in turn. */
function mixed(): Call {
  const named = new Map([...readCases([]), ...writeCases].map((one) => [one.name, one.call]))
  const names = ['page', 'filters', 'get', 'filters-cold', 'contains', 'get', 'search', 'create']
  const calls = names.flatMap((name) => named.get(name) ?? [])
  return (n) => calls[n % calls.length]?.(n).ours ?? get('/api/health')
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

/** The goal is for what keeps the server alone busy; the others share the processors with the database or the load. */
async function measureWorkers(one: Server, start: Start, options: Options, say: Say) {
  const two = await start({ WEB_CONCURRENCY: '2' })
  const records = Array.from({ length: 500 }, (_, n) => ({ ...person(n), age: 'old' }))
  const cases: { title: string; call: Call; expected?: '4xx'; isGoal: boolean }[] = [
    {
      title: 'records by id',
      call: (n) => get(`/api/entities/Person/${1 + ((n * 7919) % PEOPLE)}`),
      isGoal: false,
    },
    {
      title: 'the description of the API',
      call: () => get('/api/openapi.json'),
      isGoal: true,
    },
    {
      title: 'batches of 500 records that are refused',
      call: () => send('POST', '/api/entities/Member/batch', records),
      expected: '4xx',
      isGoal: false,
    },
  ]
  for (const { title, call, expected, isGoal } of cases) {
    const ratios: number[] = []
    for (let round = 0; round <= options.rounds; round++) {
      const rates = [0, 0]
      for (const at of round % 2 ? [0, 1] : [1, 0])
        rates[at] = await rateOf(at ? two : one, call, options.seconds, expected)
      if (round > 0) ratios.push((rates[1] ?? 0) / (rates[0] ?? 1))
    }
    const ratio = quantile(ratios, 0.5)
    const goal = isGoal ? `${LEAST_GAIN_OF_WORKERS}×` : ''
    say(
      `two workers to one: ${title}`,
      `${ratio.toFixed(2)}×`,
      goal,
      !isGoal || ratio >= LEAST_GAIN_OF_WORKERS,
    )
  }
  await two.stop()
}

async function rateOf(server: Server, call: Call, seconds: number, expected?: '4xx') {
  const { requests, seconds: taken } = await load(server.url, call, {
    connections: 16,
    seconds,
    expected,
  })
  return requests / taken
}
