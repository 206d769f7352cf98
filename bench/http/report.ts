import { cpus } from 'node:os'
import type { Sql } from 'postgres'
import { GOALS } from './goals'
import type { Comparison, Figures } from './rounds'

/** Below the goal by more than the noise. */
export function isMissed(one: Comparison): boolean {
  const goal = goalOf(one)
  return goal !== undefined && one.ratio + one.noise < goal
}

const goalOf = ({ name, connections }: Comparison): number | undefined => GOALS[name]?.[connections]

/** A table of the goals of all that was measured. */
export function verdicts(all: Comparison[]): string {
  const rows = all.flatMap((one) => {
    const goal = goalOf(one)
    if (goal === undefined) return []
    const how = one.connections ? `${one.name}, ${one.connections} connections` : one.name
    const verdict = isMissed(one) ? '**missed**' : 'met'
    return `| ${how} | ${goal} | ${short(one.ratio)} ± ${short(one.noise)} | ${verdict} |`
  })
  return ['| goal of | at least | measured | |', '|---|---|---|---|', ...rows].join('\n')
}

export const HEAD = [
  '| case | connections | ratio | ± | goal | of CPU | engine/s | bare/s | CPU ms a request: engine + database | bare + database |',
  '|---|---|---|---|---|---|---|---|---|---|',
].join('\n')

export function lineOf(one: Comparison): string {
  const { name, title, connections, ratio, noise, engine, bare } = one
  const goal = goalOf(one)
  const cells = [
    `${title} (\`${name}\`)`,
    connections || '–',
    `**${short(ratio)}**`,
    short(noise),
    goal === undefined ? '' : `${goal}${isMissed(one) ? ' missed' : ''}`,
    ratioOfCpu(engine, bare),
    short(engine.perSecond),
    short(bare.perSecond),
    cpuOf(engine),
    cpuOf(bare),
  ]
  return `| ${cells.join(' | ')} |`
}

/** What the measurement ran on. */
export async function machine(sql: Sql): Promise<string> {
  const [row] = await sql<
    { version: string }[]
  >`select current_setting('server_version') as version`
  const postgres = row?.version.split(' ')[0]
  const [first] = cpus()
  return `${cpus().length} × ${first?.model.trim()}, Node ${process.versions.node}, PostgreSQL ${postgres}.`
}

const total = ({ serverMs, databaseMs }: Figures) =>
  serverMs === null || databaseMs === null ? null : serverMs + databaseMs

function ratioOfCpu(engine: Figures, bare: Figures): string {
  const [used, least] = [total(engine), total(bare)]
  return used && least ? short(least / used) : '–'
}

const cpuOf = ({ serverMs, databaseMs }: Figures) =>
  serverMs === null || databaseMs === null ? '–' : `${short(serverMs)} + ${short(databaseMs)}`

/** Three digits. */
const short = (value: number) =>
  value >= 100 ? String(Math.round(value)) : value.toPrecision(value < 0.1 ? 1 : 3)
