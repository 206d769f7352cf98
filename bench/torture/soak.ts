import { openFiles, residentMib } from '../http/cpu'
import type { Server } from '../http/servers'
import { inWords, runClients } from './clients'
import type { Line } from './report'

const SAMPLE_MS = 30_000
/** As many as connections of the pool may come and go. */
const MAX_MORE_HANDLES = 10

type Sample = { minute: number; mib: number; handles: number }

/** Memory and handles over a long mixed load; slopes are those of the time after the tenth minute, or a third. */
export async function measureSoak(
  server: Server,
  { minutes, rate }: { minutes: number; rate: number },
): Promise<Line> {
  const samples: Sample[] = []
  const from = performance.now()
  const sample = setInterval(() => {
    const mib = residentMib(server.pid)
    const minute = (performance.now() - from) / 60_000
    if (mib !== null) samples.push({ minute, mib, handles: openFiles(server.pid) })
  }, SAMPLE_MS)
  const outcome = await runClients(server.url, {
    seconds: minutes * 60,
    connections: 20,
    first: 2e8,
    rate,
  })
  clearInterval(sample)
  const settled = samples.filter(({ minute }) => minute >= Math.min(10, minutes / 3))
  const slope = slopeOf(settled)
  const handles = settled.map((one) => one.handles)
  const growth = (handles.at(-1) ?? 0) - (handles[0] ?? 0)
  return {
    title: `20 connections, ${rate} requests a second, ${minutes} minutes`,
    result: `${inWords(outcome)}; memory ${Math.round(settled.at(-1)?.mib ?? 0)} MiB, ${slope.toFixed(2)} MiB a minute (goal 1); ${handles.at(-1) ?? 0} open files, ${growth} more (goal ${MAX_MORE_HANDLES})`,
    isGood: outcome.faultCount === 0 && slope <= 1 && growth <= MAX_MORE_HANDLES,
  }
}

/** Least squares. */
function slopeOf(points: Sample[]): number {
  const mean = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length
  const [x, y] = [mean(points.map((p) => p.minute)), mean(points.map((p) => p.mib))]
  const over = points.reduce((sum, p) => sum + (p.minute - x) * (p.mib - y), 0)
  const under = points.reduce((sum, p) => sum + (p.minute - x) ** 2, 0)
  return under === 0 ? 0 : over / under
}
