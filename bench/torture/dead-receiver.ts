import type { Sql } from 'postgres'
import { quantile } from '../http/rounds'
import { send } from './item-clients'
import type { Receiver } from './receivers'
import type { Line } from './report'

const ROUNDS = 4
const RATE = 40
const MAX_MORE = 1.1
/** What a machine does by itself. */
const NOISE_MS = 10

export type DeadReceiver = { sql: Sql; url: string; deadId: string; sound: Receiver }

/** How long changes take to a sound receiver with and without one that never answers, in turn. */
export async function measureDead(setup: DeadReceiver, seconds: number): Promise<Line> {
  const withDead: number[] = []
  const without: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await enable(setup, false)
    without.push(...(await phase(setup, seconds)))
    await enable(setup, true)
    withDead.push(...(await phase(setup, seconds)))
  }
  const [less, more] = [quantile(without, 0.95), quantile(withDead, 0.95)]
  return {
    title: 'p95 from a change to a sound receiver, beside one that never answers',
    result: `${Math.round(more)} ms beside it, ${Math.round(less)} ms without it, of ${ROUNDS} rounds each (goal ${MAX_MORE}×)`,
    isGood: more <= Math.max(less * MAX_MORE, less + NOISE_MS),
  }
}

async function enable({ url, deadId }: DeadReceiver, enabled: boolean): Promise<void> {
  const path = `/api/webhooks/${deadId}`
  await send(url, { method: 'PATCH', path, body: { enabled } })
  await pause(2_000)
}

/** How long each change took, in ms. */
async function phase({ sql, sound }: DeadReceiver, seconds: number): Promise<number[]> {
  const from = sound.got.length
  const end = performance.now() + seconds * 1000
  for (let n = 0; performance.now() < end; n++) {
    const next = pause(1000 / RATE)
    await sql`update entities.item set count = count + 1 where id = ${n % 500}`
    await next
  }
  await pause(2_000)
  return sound.got.slice(from).map(({ ms }) => ms)
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
