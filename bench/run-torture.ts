/**
 * `npm run torture`: what takes longer than CI should. Load with every answer checked, overload, shutdown, a soak, and the
 * tests that kill processes and databases, with as many rounds as are promised. Each of them writes its section of
 * `docs/torture.md` and leaves the others as they are. See `bench/README.md`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { buildIfStale } from '../scripts/steps/build.mjs'
import { startThrowawayCitus, whyNoCitus } from '../scripts/steps/throwaway-citus.mjs'
import { startThrowawayPostgres } from '../scripts/steps/throwaway-postgres.mjs'
import { install } from './http/data'
import { PEOPLE, peopleArchive } from './http/people'
import { type Server, startEngine } from './http/servers'
import { archiveUpload } from './http/write-cases'
import { measureEmbedded } from './torture/embedded'
import { runKills } from './torture/kills'
import { measureLoad, measureShutdown } from './torture/load'
import { measureBackup } from './torture/million-backup'
import { measureReplica } from './torture/replica'
import { type Line, recordLines, TITLES } from './torture/report'
import { measureSoak } from './torture/soak'
import { runPromotions, runStories, runTaint } from './torture/stories'
import { measureRotation } from './torture/under-replacement'
import { measureWebhooks } from './torture/webhooks'

/** That of upgrades is written by `npm run rolling`. */
type Section = Exclude<keyof typeof TITLES, 'rolling'>
const ON_SERVER = ['load', 'soak', 'shutdown'] as const
const REPLICAS = ['replica-embedded', 'replica-postgres'] as const
const KILLS = ['kills-embedded', 'kills-postgres', 'kills-citus'] as const
const STORIES = ['stories-embedded', 'stories-postgres'] as const
const TAINT = ['taint-embedded', 'taint-postgres', 'taint-citus'] as const
const isKills = (section: Section) => KILLS.some((one) => one === section)
const isStories = (section: Section) =>
  [...STORIES, ...TAINT, 'promotions'].some((one) => one === section)

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '120' },
    soak: { type: 'string', default: '30' },
    rate: { type: 'string', default: '50' },
    kills: { type: 'boolean', default: false },
    rounds: { type: 'string', default: 'all' },
    stories: { type: 'string', default: '1000' },
    taint: { type: 'string', default: '20000' },
    promoted: { type: 'string', default: '100000' },
    changes: { type: 'string', default: '10000' },
    records: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
  },
})
const asked = sectionsOf(values)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const database = await startThrowawayPostgres()
if (!database) throw new Error('No PostgreSQL server binaries were found')
const sql = postgres(database.url, { max: 1, onnotice: () => {} })
let isGood = true

if (asked.some((section) => !isKills(section) && !isStories(section))) await buildIfStale()
if (ON_SERVER.some((section) => asked.includes(section))) {
  const server = await startFilled(database.url)
  // Last the one that ends the server.
  for (const section of ON_SERVER)
    if (asked.includes(section)) await note(section, await measure(section, server))
  if (!asked.includes('shutdown')) await server.stop()
}
if (asked.includes('embedded')) await note('embedded', await measureEmbedded(newFolder()))
for (const section of REPLICAS) {
  const how = { operations: Number(values.changes), kills: 10, seed: Number(values.seed) }
  if (asked.includes(section))
    await note(section, await withDatabase(section, (url) => measureReplica(url, newFolder(), how)))
}
if (asked.includes('webhooks')) {
  const how = { events: Number(values.changes), kills: 3, phaseSeconds: 15 }
  const measured = withDatabase('webhooks', (url) => measureWebhooks(url, newFolder(), how))
  await note('webhooks', await measured)
}
if (asked.includes('rotation')) {
  const measured = withDatabase('rotation', (url) =>
    measureRotation({ url, folder: newFolder(), phaseMs: 5_000 }),
  )
  await note('rotation', await measured)
}
if (asked.includes('backup')) {
  const records = Number(values.records)
  await note(
    'backup',
    await withDatabase('backup', (url) => measureBackup(url, newFolder(), records)),
  )
}
for (const section of KILLS) {
  const lines = asked.includes(section) && (await killOn(section, database.url))
  if (lines) await note(section, lines, [`KILL_ROUNDS=${values.rounds}`])
}
for (const section of STORIES) {
  const url = section === 'stories-postgres' ? database.url : ''
  if (asked.includes(section))
    await note(section, runStories(url, values.stories), [`${values.stories} of each kind`])
}
if (asked.includes('promotions')) {
  const { promoted, rounds } = values
  const lines = runPromotions(database.url, promoted, rounds)
  await note('promotions', lines, [`${promoted} records of five entities`])
}
for (const section of TAINT) {
  const lines = asked.includes(section) && (await taintOn(section, database.url))
  if (lines) await note(section, lines, [`${values.taint} requests`])
}
await sql.end()
database.stop()
process.exit(isGood ? 0 : 1)

function sectionsOf({ only, kills, soak }: typeof values): Section[] {
  const known = Object.keys(TITLES).filter((one): one is Section => one !== 'rolling')
  const named = only.split(',').filter(Boolean)
  const unknown = named.filter((name) => !known.includes(name as Section))
  if (unknown.length > 0) throw new Error(`--only takes ${known.join(', ')}, not ${unknown}`)
  if (named.length > 0) return known.filter((section) => named.includes(section))
  return known.filter(
    (section) => (kills || !isKills(section)) && (section !== 'soak' || Number(soak) > 0),
  )
}

/** With a PostgreSQL server of its own, that has nothing yet, or the embedded database. */
async function withDatabase<T>(section: Section, work: (url: string) => Promise<T>): Promise<T> {
  const own = section === 'replica-embedded' ? null : await startThrowawayPostgres()
  try {
    return await work(own?.url ?? '')
  } finally {
    own?.stop()
  }
}

/** The production server, with its limits, on 100,000 records. */
async function startFilled(url: string): Promise<Server> {
  // Requests are refused as in production.
  const server = await startEngine(url, newFolder(), { SHED_DELAY_MS: '' })
  await install(server, await archiveUpload(await peopleArchive(['Member'], PEOPLE)))
  await sql`vacuum (analyze)`
  return server
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'engine-torture-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** None where the machine lacks the database. */
async function killOn(section: (typeof KILLS)[number], url: string): Promise<Line[] | null> {
  const { rounds } = values
  if (section !== 'kills-citus') return runKills(section === 'kills-postgres' ? url : '', rounds)
  if (whyNoCitus()) return null
  const cluster = await startThrowawayCitus()
  const lines = runKills(cluster.url, rounds, true)
  cluster.stop()
  return lines
}

/** None where the machine lacks the database. */
async function taintOn(section: (typeof TAINT)[number], url: string): Promise<Line[] | null> {
  const { taint } = values
  if (section !== 'taint-citus') return runTaint(section === 'taint-postgres' ? url : '', taint)
  if (whyNoCitus()) return null
  const cluster = await startThrowawayCitus()
  const lines = runTaint(cluster.url, taint)
  cluster.stop()
  return lines
}

async function measure(section: (typeof ON_SERVER)[number], server: Server): Promise<Line[]> {
  const { seconds, soak, rate } = values
  if (section === 'load') return measureLoad(server, sql, Number(seconds))
  if (section === 'soak')
    return [await measureSoak(server, { minutes: Number(soak), rate: Number(rate) })]
  return [await measureShutdown(server)]
}

async function note(section: Section, lines: Line[], about: string[] = []): Promise<void> {
  isGood = (await recordLines(section, lines, sql, about)) && isGood
}
