import { Pool } from 'undici'
import { AUTHORIZATION } from '../http/servers'
import { type Checked, mixed } from './requests'

/** What came of the requests of some seconds. */
export type Outcome = {
  /** Answers as they must be, by kind. */
  good: Record<string, number>
  /** 429 and 503 with `Retry-After`. */
  refused: number
  /** Everything else: the first ten in words. */
  faults: string[]
  faultCount: number
  /** Of good answers, in ms, sorted. */
  timesMs: number[]
}

export type Until = {
  seconds: number
  connections: number
  first?: number
  /** Requests a second, all together, at most; otherwise as many as are answered. */
  rate?: number
  stopped?: () => boolean
}

/** `connections` clients that send a request after the other for some seconds, each answer checked. */
export async function runClients(url: string, until: Until): Promise<Outcome> {
  const { seconds, connections, rate = Infinity, stopped = () => false } = until
  // It takes less of the processors that it shares with the server than `node:http` does.
  const pool = new Pool(url, { connections, headersTimeout: LIMIT_MS, bodyTimeout: LIMIT_MS })
  const outcome: Outcome = { good: {}, refused: 0, faults: [], faultCount: 0, timesMs: [] }
  const start = performance.now()
  const end = start + seconds * 1000
  const first = until.first ?? 0
  let next = first
  const client = async () => {
    while (performance.now() < end && !stopped()) {
      const early = start + ((next - first) * 1000) / rate - performance.now()
      const one = mixed(next++)
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
      await note(outcome, one, await send(pool, one), stopped)
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  await pool.destroy()
  outcome.timesMs.sort((a, b) => a - b)
  return outcome
}

type Response = { status: number; retryAfter: string | undefined; text: string; ms: number }

async function note(
  outcome: Outcome,
  one: Checked,
  response: Response | Error,
  stopped: () => boolean,
): Promise<void> {
  const fault = faultOf(one, response)
  if (fault === null && response instanceof Error === false) {
    outcome.good[one.kind] = (outcome.good[one.kind] ?? 0) + 1
    outcome.timesMs.push(response.ms)
  } else if (fault === 'refused') {
    outcome.refused++
    await new Promise((resolve) => setTimeout(resolve, 100))
  } else if (!(stopped() && response instanceof Error)) {
    outcome.faultCount++
    if (outcome.faults.length < 10) outcome.faults.push(`${one.kind}: ${fault}`)
  }
}

function faultOf(one: Checked, response: Response | Error): string | null {
  if (response instanceof Error) return response.message
  const { status, retryAfter, text } = response
  if (status === 429 || status === 503)
    return Number(retryAfter) > 0 ? 'refused' : `${status} without Retry-After`
  try {
    return one.check(status, JSON.parse(text))
  } catch {
    return `status ${status}, no JSON: ${text.slice(0, 100)}`
  }
}

const LIMIT_MS = 30_000

async function send(pool: Pool, { method, path, body }: Checked): Promise<Response | Error> {
  const json = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    authorization: AUTHORIZATION,
    ...(json && { 'content-type': 'application/json' }),
  }
  const from = performance.now()
  try {
    const response = await pool.request({ method, path, headers, body: json })
    const text = await response.body.text()
    const retryAfter = response.headers['retry-after']
    return {
      ...{ status: response.statusCode, retryAfter: retryAfter?.toString(), text },
      ms: performance.now() - from,
    }
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** The value that `share` of the sorted values don't exceed. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

export const goodOf = ({ good }: Outcome) => Object.values(good).reduce((sum, n) => sum + n, 0)

export const inWords = (outcome: Outcome) =>
  [
    `${goodOf(outcome)} answers as they must be`,
    `${outcome.refused} refused with Retry-After`,
    `${outcome.faultCount} faults`,
    ...outcome.faults,
  ].join(', ')
