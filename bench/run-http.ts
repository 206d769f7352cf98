/**
 * `npm run bench:http`: our production server against a bare `node:http` server with hand-written
 * SQL, over HTTP, on the same PostgreSQL in the same run. See `bench/README.md`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { buildIfStale } from '../scripts/steps/build.mjs'
import { startThrowawayPostgres } from '../scripts/steps/throwaway-postgres.mjs'
import type { Case } from './http/cases'
import { addPeople, alignMembers, emptyReadings, findMarks, makeTables } from './http/data'
import { startDirectus } from './http/directus'
import { measureEvents } from './http/events'
import { eventsCases } from './http/events-cases'
import { measureFinding } from './http/finding'
import { measureGrowth } from './http/growth'
import { installCases } from './http/install-cases'
import { mixed } from './http/mixed-case'
import { readOptions } from './http/options'
import { makeOrders } from './http/orders'
import { directusCases } from './http/peer-cases'
import { measureProcess } from './http/process'
import { readCases } from './http/read-cases'
import { relationCases } from './http/relation-cases'
import { HEAD, isMissed, lineOf, machine, verdicts } from './http/report'
import { makeClerk, rightsCases } from './http/rights-cases'
import { type Comparison, compare, type Setup, warmUp } from './http/rounds'
import { type Server, startBare, startEngine } from './http/servers'
import { measureStages } from './http/stages'
import { verify } from './http/verify'
import { deletion, deletions, exporting, writeCases } from './http/write-cases'

const OTHERS = `
Other measurements: [how cost grows](growth.md), [start, memory and workers](process.md), [following changes](events.md), [text search and places](finding.md), [a plugin of a million records](million.md),
[millions of records on plain PostgreSQL and on a cluster](cluster.md).
`

const options = readOptions()
// Servers are ended when the process exits, which a signal alone would not let happen.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await buildIfStale()
const database = await startThrowawayPostgres({ durable: options.isDurable })
if (!database) throw new Error('No PostgreSQL server binaries were found')
const folder = mkdtempSync(join(tmpdir(), 'engine-bench-'))
const sql = postgres(database.url, { max: 1, onnotice: () => {} })
const servers: Server[] = []
try {
  const engine = await startEngine(database.url, folder)
  servers.push(engine)
  const start = (more: Record<string, string>) => startEngine(database.url, folder, more)
  const withBare = async () => {
    const bare = await startBare(database.url, folder)
    servers.push(bare)
    return bare
  }
  if (options.scale) process.exitCode = (await measureGrowth(engine, sql, options)) ? 0 : 1
  else if (options.process)
    process.exitCode = (await measureProcess(engine, start, sql, options)) ? 0 : 1
  else if (options.events) process.exitCode = (await measureEvents(engine, sql)) ? 0 : 1
  else if (options.finding)
    process.exitCode = (await measureFinding(engine, withBare, sql, options)) ? 0 : 1
  else if (options.stages) await showStages(engine, database)
  else await compareAll(engine, database, withBare)
} finally {
  for (const server of servers) await server.stop()
  await sql.end()
  database.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function compareAll(
  engine: Server,
  { url, pid }: { url: string; pid: number },
  withBare: () => Promise<Server>,
) {
  await makeTables(engine, sql)
  const bare = await withBare()
  const setup = { engine, bare, databasePid: pid, ...options }
  await warmUp(setup)
  const lines = [await machine(sql), '', HEAD]
  process.stdout.write(`${lines.join('\n')}\n`)
  const all: Comparison[] = []
  const peer = options.hasPeer ? await startDirectus(url, join(folder, 'peer'), sql) : null
  if (peer) servers.push(peer)
  const ofPeer = peer ? directusCases(peer.key) : []
  // Ours end with a case that deletes records which the peer's cases change.
  for (const one of [...ofPeer, ...(await casesOf(engine))]) {
    const floor = one.isOwnFloor ? engine : peer && ofPeer.includes(one) ? peer : bare
    const sides = { ...setup, bare: floor }
    const say = (comparison: Comparison) => {
      all.push(comparison)
      lines.push(lineOf(comparison))
      process.stdout.write(`${lines.at(-1)}\n`)
    }
    // The others are measured in spite of it.
    await measureCase(sides, one, say).catch((error: Error) => {
      lines.push(`| ${one.title} (\`${one.name}\`) | failed: ${error.message.split('\n')[0]} |`)
      process.stderr.write(`${one.name} failed: ${error.message}\n`)
      process.exitCode = 1
    })
  }
  if (all.some(isMissed)) process.exitCode = 1
  if (peer) lines.push('', `\`directus-…\` in place of bare: ${peer.name}.`)
  lines.push('', verdicts(all))
  process.stdout.write(`\n${lines.at(-1)}\n`)
  const intro = `# Requests over HTTP\n\nHow to read it: [README.md](README.md). ${options.rounds} rounds of ${options.seconds} s, \`fsync\` on, measured on`
  if (options.writesResults)
    writeFileSync('bench/results.md', `${intro} ${lines.join('\n')}\n${OTHERS}`)
}

async function measureCase(setup: Setup, one: Case, say: (comparison: Comparison) => void) {
  if (one.writes) await alignMembers(sql)
  await verify(setup, one)
  for (const connections of one.isSingle ? [0] : options.connections)
    say(await compare(setup, one, connections))
}

async function showStages(engine: Server, { url, pid }: { url: string; pid: number }) {
  await makeTables(engine, sql)
  const cases = await casesOf(engine)
  const one = cases.find(({ name }) => name === 'get') ?? cases[0]
  if (one) await measureStages(url, folder, one, sql, pid)
}

/** Those that were asked for, in the order of the table. */
async function casesOf(engine: Server): Promise<Case[]> {
  const empty = () => emptyReadings(engine, sql)
  const wanted = (name: string) => options.cases.length === 0 || options.cases.includes(name)
  const installs = await installCases(wanted, folder, empty)
  const marks = wanted('cursor') ? await findMarks(engine) : []
  const hasRights =
    options.cases.length === 0 || options.cases.some((name) => name.startsWith('rights-'))
  const rights = hasRights ? rightsCases(await makeClerk(engine)) : []
  const events = await eventsCases(wanted, engine)
  const relations = relationCases().filter(({ name }) => wanted(name))
  if (relations.length > 0) await makeOrders(engine, sql)
  const writes = [mixed, ...writeCases, deletions((from, to) => addPeople(sql, from, to)), deletion]
  const all = [
    ...readCases(marks),
    ...rights,
    ...relations,
    exporting,
    ...writes,
    ...events,
    ...installs,
  ]
  const found = all.filter(({ name }) => wanted(name))
  if (found.length === 0) throw new Error(`No case is named ${options.cases.join(' or ')}`)
  return found
}
