import { type Case, get, type Side, type Sides } from './cases'
import { cpuMs } from './cpu'
import { type Load, load, request, withWrites } from './load'
import type { Server } from './servers'

/** Requests of one round, and the processor time of a server and of the database, in ms. */
type Round = Load & { serverMs: number | null; databaseMs: number | null }

/** Medians of the rounds. */
export type Figures = { perSecond: number; serverMs: number | null; databaseMs: number | null }

export type Comparison = {
  title: string
  name: string
  connections: number
  /** Median of the rounds' ratios, engine to bare. */
  ratio: number
  /** Of those ratios. */
  noise: number
} & Sides<Figures>

export type Setup = Sides<Server> & { databasePid: number; rounds: number; seconds: number }

const LEAST_NOISE = 0.03
const WARM_UP_SECONDS = 1.5
/** Of little work before a single case. */
const WARM_UP_CALLS = 100

/** Until code that most requests run is compiled. */
export async function warmUp({ engine, bare }: Sides<Server>): Promise<void> {
  for (const [url, path] of [
    [engine.url, '/api/entities/Person?sort=joined:desc'],
    [bare.url, '/page?offset=0'],
  ] as const)
    await load(url, () => get(path), { connections: 16, seconds: WARM_UP_SECONDS * 4 })
}

/** Rounds of both servers in turn, the first of a round second in the next. */
export async function compare(setup: Setup, one: Case, connections: number): Promise<Comparison> {
  const all: Sides<Round[]> = { engine: [], bare: [] }
  await warmUpSingle(setup, one)
  for (let round = -1; round < setup.rounds; round++) {
    const order: Side[] = round % 2 ? ['bare', 'engine'] : ['engine', 'bare']
    for (const side of order) {
      const seconds = round < 0 ? WARM_UP_SECONDS : setup.seconds
      await one.prepare?.()
      const work = one.isSingle
        ? () => single(setup[side].url, one, side, round + 1)
        : () => loaded(setup[side].url, one, side, { connections, seconds })
      const measured = await withCpu(setup, side, work)
      if (round >= 0) all[side].push(measured)
    }
  }
  const ratios = all.engine.map((engine, n) => perSecond(engine) / perSecond(all.bare[n] ?? engine))
  const ratio = quantile(ratios, 0.5)
  const { name, title } = one
  return {
    name,
    title,
    connections,
    ratio,
    noise: noiseOf(ratios),
    engine: figures(all.engine),
    bare: figures(all.bare),
  }
}

function loaded(
  url: string,
  { call, beside }: Case,
  side: Side,
  how: { connections: number; seconds: number },
): Promise<Load> {
  const work = () => load(url, (n) => call(n)[side], how)
  return beside ? withWrites(url, (n) => beside(n)[side], work) : work()
}

async function warmUpSingle({ engine, bare }: Sides<Server>, { little }: Case): Promise<void> {
  for (let n = 0; little && n < WARM_UP_CALLS; n++) {
    const calls = little(n)
    await (await request(engine.url, calls.engine)).text()
    await (await request(bare.url, calls.bare)).text()
  }
}

async function single(url: string, one: Case, side: Side, n: number): Promise<Load> {
  const startedAt = performance.now()
  const response = await request(url, one.call(n)[side])
  for await (const _ of response.body ?? []);
  if (!response.ok) throw new Error(`${side} responded ${response.status} to ${one.name}`)
  return { requests: 1, seconds: (performance.now() - startedAt) / 1000 }
}

async function withCpu(setup: Setup, side: Side, work: () => Promise<Load>): Promise<Round> {
  const read = () => [cpuMs(setup[side].pid), cpuMs(setup.databasePid)] as const
  const before = read()
  const done = await work()
  const after = read()
  const used = (index: 0 | 1) => difference(before[index], after[index], done.requests)
  return { ...done, serverMs: used(0), databaseMs: used(1) }
}

const difference = (before: number | null, after: number | null, requests: number) =>
  before === null || after === null ? null : (after - before) / requests

const perSecond = ({ requests, seconds }: Load) => requests / seconds

function figures(rounds: Round[]): Figures {
  const median = (value: (round: Round) => number | null) => {
    const values = rounds.map(value).filter((found) => found !== null)
    return values.length > 0 ? quantile(values, 0.5) : null
  }
  return {
    perSecond: median(perSecond) ?? Number.NaN,
    serverMs: median(({ serverMs }) => serverMs),
    databaseMs: median(({ databaseMs }) => databaseMs),
  }
}

/** Half of the distance between the quartiles of the rounds' ratios, at least 3 % of their median. */
export function noiseOf(ratios: number[]): number {
  const spread = (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / 2
  return Math.max(spread, LEAST_NOISE * quantile(ratios, 0.5))
}

/** With interpolation. */
export function quantile(values: number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const position = (sorted.length - 1) * at
  const below = sorted[Math.floor(position)] ?? Number.NaN
  const above = sorted[Math.ceil(position)] ?? Number.NaN
  return below + (above - below) * (position - Math.floor(position))
}
