import { writeFileSync } from 'node:fs'
import type { Sql } from 'postgres'
import { type Case, get, type Side, type Sides } from './cases'
import { LEAST_FINDING, MAX_FINDING_MS } from './goals'
import { request } from './load'
import type { Options } from './options'
import { cityFor, makePlaces, PLACES, twoWords } from './places'
import { machine } from './report'
import { noiseOf, quantile } from './rounds'
import type { Server } from './servers'
import { verify } from './verify'

const PLACE = '/api/entities/Place'
const CALLS = 80
const SIDES: Side[] = ['engine', 'bare']

const findingCases = (): Case[] => [
  {
    name: 'text-search',
    title: 'two words of a text, best first, total',
    call: (n) => {
      const q = encodeURIComponent(twoWords(n))
      return {
        engine: get(`${PLACE}?fields=id,title&q=${q}`),
        bare: get(`/places/texts?q=${q}`),
      }
    },
    equal: 'page',
  },
  {
    name: 'near',
    title: 'within 50 km, nearest first, total',
    call: (n) => {
      const { lat, lon } = cityFor(n)
      const near = `${lat + (n % 97) / 1000}|${lon}|50`
      return {
        engine: get(`${PLACE}?fields=id,title&filter=spot:near:${near}&sort=spot.$distance:asc`),
        bare: get(`/places/near?lat=${lat + (n % 97) / 1000}&lon=${lon}&km=50`),
      }
    },
    equal: 'page',
  },
]

const HEAD = [
  '| search | engine, median | 95 of 100 | at most | bare, median | 95 of 100 | ratio | ± | at least |',
  '|---|---|---|---|---|---|---|---|---|',
].join('\n')

/**
 * Text search and places among a million records, one request at a time, of each server in turn. Returns whether no goal is missed.
 * `startBare`: once the tables are there.
 */
export async function measureFinding(
  engine: Server,
  startBare: () => Promise<Server>,
  sql: Sql,
  { rounds }: Options,
): Promise<boolean> {
  await makePlaces(engine, sql)
  const servers = { engine, bare: await startBare() }
  const lines = [`${await machine(sql)} ${PLACES.toLocaleString('en')} records.`, '', HEAD]
  process.stdout.write(`${lines.join('\n')}\n`)
  let isGood = true
  for (const one of findingCases()) {
    await verify(servers, one)
    const { line, isMet } = verdictOf(one, await measure(servers, one, rounds))
    lines.push(line)
    process.stdout.write(`${line}\n`)
    isGood &&= isMet
  }
  const intro = '# Text search and places\n\nHow to read it: [README.md](README.md). Measured on'
  writeFileSync('bench/finding.md', `${intro} ${lines.join('\n')}\n`)
  return isGood
}

/** Times in ms, a list a round. */
async function measure(
  servers: Sides<Server>,
  one: Case,
  rounds: number,
): Promise<Sides<number[][]>> {
  const times: Sides<number[][]> = { engine: [], bare: [] }
  for (let round = -1; round < rounds; round++) {
    const own: Sides<number[]> = { engine: [], bare: [] }
    for (let n = 0; n < CALLS; n++) {
      const call = one.call((round + 1) * CALLS + n + 1)
      for (const side of n % 2 ? SIDES : [...SIDES].reverse())
        own[side].push(await timeOf(servers[side], call[side]))
    }
    if (round >= 0) for (const side of SIDES) times[side].push(own[side])
  }
  return times
}

async function timeOf(
  server: Server,
  call: Sides<ReturnType<typeof get>>['engine'],
): Promise<number> {
  const startedAt = performance.now()
  const response = await request(server.url, call)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return performance.now() - startedAt
}

function verdictOf({ name, title }: Case, { engine, bare }: Sides<number[][]>) {
  const ratios = engine.map(
    (times, round) => quantile(bare[round] ?? [], 0.5) / quantile(times, 0.5),
  )
  const [ratio, noise] = [quantile(ratios, 0.5), noiseOf(ratios)]
  const at = (all: number[][], share: number) => quantile(all.flat(), share)
  const [most, least] = [MAX_FINDING_MS[name] ?? 0, LEAST_FINDING[name]]
  const isLate = at(engine, 0.95) > most
  const isMissed = least !== undefined && ratio + noise < least
  const ms = (value: number) => `${value.toFixed(1)} ms`
  const cells = [
    `${title} (\`${name}\`)`,
    ms(at(engine, 0.5)),
    ms(at(engine, 0.95)),
    `${ms(most)}${isLate ? ' missed' : ''}`,
    ms(at(bare, 0.5)),
    ms(at(bare, 0.95)),
    `**${ratio.toFixed(2)}**`,
    noise.toFixed(2),
    least === undefined ? '' : `${least}${isMissed ? ' missed' : ''}`,
  ]
  return { line: `| ${cells.join(' | ')} |`, isMet: !isLate && !isMissed }
}
