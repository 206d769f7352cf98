import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Sql } from 'postgres'
import type { Case } from './cases'
import { cpuMs } from './cpu'
import { load } from './load'
import { machine } from './report'
import { engineEnv, untilUp } from './servers'

/** A stage of a request, and the files whose functions it consists of; the first that matches a frame counts. */
const STAGES: [stage: string, files: RegExp][] = [
  ['log', /pino|sonic-boom|lib\/log|log-request/],
  ['metrics, timing', /prom-client|lib\/metrics|request-metrics|server-timing|lib\/tracing/],
  ['credential', /lib\/auth|http\/authorise|credential/],
  ['wait: driver, pool, limits', /node_modules\/pg|lib\/db\/(?!compiled|sql|schema)/],
  ['serialise', /http\/envelope|values\/json|etagOf|internal\/crypto\/hash/],
  ['send', /_http_outgoing|_http_common|send-response|addCors|http\/cors|own-headers/],
  ['SQL', /drizzle-orm|lib\/(db|search|registry|records|rows|kinds|tables|definitions)\//],
  ['route: input', /http\/(read-input|body)|node_modules\/zod|values\/wire-types/],
  ['route: limits, layers', /lib\/(layers|http|around|load)/],
  ['parse', /_http_(server|incoming)|internal\/url|lib\/server|srvx|rou3/],
  ['socket', /node:(net|stream|events)|internal\/(stream|streams)/],
]
const OTHER = 'other: microtasks, timers'
/** What V8 names without a file. */
const NAMELESS = new Map([
  ['(garbage collector)', 'garbage collector'],
  ['(program)', 'socket'],
  ['(idle)', 'idle'],
])

type Frame = { functionName: string; url: string; lineNumber: number; columnNumber: number }
type Profile = {
  nodes: { id: number; callFrame: Frame; children?: number[] }[]
  startTime: number
  samples: number[]
  timeDeltas: number[]
}

const SECONDS = 6
const CONNECTIONS = 16

/** Writes to `bench/stages.md` what processor time of the server each stage of a request takes, from V8's profile of it under load. */
export async function measureStages(
  url: string,
  folder: string,
  one: Case,
  sql: Sql,
  databasePid: number,
) {
  const { server, base } = await startProfiled(url, folder)
  const call = (n: number) => one.call(n).engine
  await load(base, call, { connections: CONNECTIONS, seconds: SECONDS })
  const begin = { at: microseconds(), server: cpuMs(server.pid ?? 0), database: cpuMs(databasePid) }
  const { requests } = await load(base, call, { connections: CONNECTIONS, seconds: SECONDS })
  const end = { at: microseconds(), server: cpuMs(server.pid ?? 0), database: cpuMs(databasePid) }
  server.kill('SIGTERM')
  await once(server, 'exit')
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
  const profile = JSON.parse(readFileSync(join(folder, file ?? ''), 'utf8')) as Profile
  const { stages, functions } = attribute(profile, begin.at, end.at)
  stages.delete('idle')
  const all = [...stages.values()].reduce((sum, ms) => sum + ms, 0)
  const serverMs = ((end.server ?? 0) - (begin.server ?? 0)) / requests
  const perRequest = (ms: number) => ((ms / all) * serverMs * 1000).toFixed(0)
  const lines = sorted(stages).map(
    ([stage, ms]) => `| ${stage} | ${perRequest(ms)} | ${((ms / all) * 100).toFixed(0)} % |`,
  )
  const databaseMs = ((end.database ?? 0) - (begin.database ?? 0)) / requests
  const text = `# The stages of a request

\`npm run bench:http -- --stages\`: ${one.title} (\`${one.name}\`), ${CONNECTIONS} connections, measured on ${await machine(sql)}

Processor time of the server: **${(serverMs * 1000).toFixed(0)} µs a request**; of the database: ${(databaseMs * 1000).toFixed(0)} µs.

| stage | µs | share |
|---|---|---|
${lines.join('\n')}
`
  writeFileSync('bench/stages.md', text)
  process.stdout.write(text)
  const most = sorted(functions).slice(0, 40)
  for (const [name, ms] of most) process.stderr.write(`${perRequest(ms).padStart(5)} µs ${name}\n`)
}

/** The production server with V8's profiler, which writes what it saw when the process ends. */
async function startProfiled(databaseUrl: string, folder: string) {
  const { base, env } = await engineEnv(databaseUrl, folder)
  const flags = ['--cpu-prof', '--cpu-prof-interval', '250', '--cpu-prof-dir', folder]
  const own = ['--max-semi-space-size=16', '--heap-growing-percent=50', 'dist/server.mjs']
  const server = spawn(process.execPath, [...flags, ...own], {
    env: { ...process.env, ...env, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  process.once('exit', () => server.kill('SIGKILL'))
  await untilUp(`${base}/api/health`, server)
  return { server, base }
}

const microseconds = () => Number(process.hrtime.bigint() / 1000n)
const sorted = (of: Map<string, number>) => [...of].sort(([, one], [, other]) => other - one)

/** The time of the samples between two moments, by stage and by function. */
function attribute({ nodes, samples, timeDeltas, startTime }: Profile, from: number, to: number) {
  const stages = new Map<string, number>()
  const functions = new Map<string, number>()
  const placeOf = places(nodes)
  let at = startTime
  for (const [index, id] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0
    at += delta
    if (at < from || at > to) continue
    const { stage, name } = placeOf(id)
    stages.set(stage, (stages.get(stage) ?? 0) + delta)
    if (stage !== 'idle') functions.set(name, (functions.get(name) ?? 0) + delta)
  }
  return { stages, functions }
}

/** A function is of the stage of its file, or else of the nearest caller's. */
function places(nodes: Profile['nodes']) {
  const sourceOf = sources()
  const found = new Map<number, { stage: string; name: string }>()
  const visit = (id: number, outer: string) => {
    const node = byId.get(id)
    if (!node) return
    const { functionName, url } = node.callFrame
    const name = `${functionName} ${url === '' ? '' : sourceOf(node.callFrame)}`
    const stage =
      NAMELESS.get(functionName) ?? STAGES.find(([, files]) => files.test(name))?.[0] ?? outer
    found.set(id, { stage, name: `${name} (${stage})` })
    for (const child of node.children ?? []) visit(child, stage)
  }
  const byId = new Map(nodes.map((node) => [node.id, node]))
  visit(nodes[0]?.id ?? 1, OTHER)
  return (id: number) => found.get(id) ?? { stage: OTHER, name: 'unknown' }
}

/** The file that a function of the bundle was written in. */
function sources(): (frame: Frame) => string {
  const maps = new Map<string, SourceMap | null>()
  return ({ url, lineNumber, columnNumber }) => {
    if (!url.startsWith('file:')) return url
    const path = `${fileURLToPath(url)}.map`
    if (!maps.has(path))
      maps.set(
        path,
        existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : null,
      )
    const entry = maps.get(path)?.findEntry(lineNumber, columnNumber)
    return entry && 'originalSource' in entry
      ? `${entry.originalSource}:${entry.originalLine + 1}`
      : url
  }
}
