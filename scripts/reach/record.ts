/** Set-up of Vitest for `npm run measure:reach`: writes what a test file cost and which blocks of the product it ran. */
import { appendFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector'
import { fileURLToPath } from 'node:url'
import { afterAll, expect } from 'vitest'

/** Of a function: where it and its blocks begin and end, and whether they ran. */
export type Ranges = [start: number, end: number, ran: boolean][]
export type Reach = { test: string; cpuMs: number; ran: Record<string, Ranges[]> }

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PRODUCT = /^(?:file:\/\/)?(.*?)(?:\?.*)?$/

// One for each worker, which runs one file after the other.
const shared = globalThis as typeof globalThis & { reachSession?: Session }
shared.reachSession ??= startCoverage()
const session = shared.reachSession
take(() => {}) // what ran between two files is of neither
const before = process.cpuUsage()

afterAll(() => {
  const { user, system } = process.cpuUsage(before)
  take((scripts) => {
    const ran = Object.fromEntries(scripts.flatMap(ranIn))
    const test = (expect.getState().testPath ?? '').slice(ROOT.length)
    const reach: Reach = { test, cpuMs: (user + system) / 1000, ran }
    appendFileSync(process.env.REACH_FILE as string, `${JSON.stringify(reach)}\n`)
  })
})

function startCoverage(): Session {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return session
}

/** Counts begin again at 0 with each. The callback runs before `post` returns. */
function take(read: (scripts: Profiler.ScriptCoverage[]) => void): void {
  session.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error) throw error
    read(taken.result)
  })
}

function ranIn({ url, functions }: Profiler.ScriptCoverage): [string, Ranges[]][] {
  const path = PRODUCT.exec(url)?.[1] ?? ''
  const name = path.slice(ROOT.length)
  if (!path.startsWith(ROOT) || /^node_modules\/|(^|\/)testing\/|\.test\./.test(name)) return []
  const ran = functions
    .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
    .map(({ ranges }) =>
      ranges.map(({ startOffset, endOffset, count }): Ranges[number] => [
        startOffset,
        endOffset,
        count > 0,
      ]),
    )
  return ran.length > 0 ? [[name, ran]] : []
}
