import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { judge, type Kind, ReplacedServers } from './replaced-servers'
import type { Line } from './report'
import { SteadyWork } from './steady-work'

/** `url`: of an empty database; `phaseMs`: how long the work goes on between and after replacements. */
export type Setting = { url: string; folder: string; phaseMs: number }
type Servers = { servers: ReplacedServers; work: SteadyWork; phase: () => Promise<void> }

/** Steady work on two servers of a kind, meanwhile `story`, and what became of the work. */
async function underReplacement(
  { url, folder, phaseMs }: Setting,
  kind: Kind,
  title: string,
  story: (all: Servers) => Promise<Line[]>,
): Promise<Line[]> {
  const receiver = await SteadyWork.receiver()
  const where = { databaseUrl: url, dataDir: folder, receiver }
  const servers = await ReplacedServers.start(where, kind)
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    const work = await SteadyWork.start(servers.url, receiver)
    const phase = () => delay<void>(phaseMs)
    await phase()
    const lines = await story({ servers, work, phase })
    await work.stop()
    const rows = await sql<{ id: number; count: number }[]>`
      select id::int, count::int from entities.item`
    return [...judge(work, new Map(rows.map(({ id, count }) => [id, count])), title), ...lines]
  } finally {
    await servers.stop()
    await sql.end()
  }
}

/** How long an install keeps what only its own version knows. */
const AFTER_INSTALL_MS = 35_000

/** From one version to another, and back, with an install by each. */
export const measureRolling = (setting: Setting, older: Kind, newer: Kind): Promise<Line[]> =>
  underReplacement(setting, older, 'meanwhile, to the later version and back', async (all) => {
    const { servers, work, phase } = all
    await servers.replace(newer, phase)
    await work.install()
    await delay(AFTER_INSTALL_MS)
    await servers.replace(older, phase)
    await work.install()
    await phase()
    return [ended(servers)]
  })

const FORMER = 'the former secret of the servers, 32+'
const NEW = 'the new secret of the servers, 32 or more'
const REREAD_MS = 60_000

/** The documented way from one secret to another: both are read first, then the new one is made with, then it is alone. */
export function measureRotation(setting: Setting): Promise<Line[]> {
  const kind = (secret: string, previous = '', folder = '.'): Kind => ({
    folder,
    more: { NEXTAUTH_SECRET: secret, NEXTAUTH_SECRET_PREVIOUS: previous },
  })
  const title = 'meanwhile, from one secret to another'
  return underReplacement(setting, kind(FORMER), title, async ({ servers, work, phase }) => {
    await servers.replace(kind(FORMER, NEW), phase)
    await servers.replace(kind(NEW, FORMER), phase)
    const left = await untilNone(() => servers.previousValues())
    await servers.replace(kind(NEW), phase)
    await work.install()
    await phase()
    return [
      { title: 'values that need the former secret', result: `${left}`, isGood: left === 0 },
      ended(servers),
    ]
  })
}

async function untilNone(count: () => Promise<number>): Promise<number> {
  for (const until = Date.now() + REREAD_MS; ; ) {
    const left = await count()
    if (left === 0 || Date.now() > until) return left
    await delay(200)
  }
}

function ended({ endedMs }: ReplacedServers): Line {
  const most = Math.max(...endedMs) / 1000
  return {
    title: `${endedMs.length} servers replaced`,
    result: `each ended within ${most.toFixed(1)} s of SIGTERM (goal 15)`,
    isGood: most <= 15,
  }
}
