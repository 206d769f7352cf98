import type { Sql } from 'postgres'
import { PEOPLE } from '../http/people'
import { AUTHORIZATION, type Server } from '../http/servers'
import { goodOf, inWords, type Outcome, quantile, runClients } from './clients'
import type { Line } from './report'

const P95_MS = 150

/** The mixed load at 50 connections, then overload, then whether all is as before. */
export async function measureLoad(server: Server, sql: Sql, seconds: number): Promise<Line[]> {
  await runClients(server.url, { seconds: 5, connections: 50, first: 10_000_000 })
  const before = await runClients(server.url, { seconds, connections: 50 })
  const lines = [describeLoad(`50 connections, ${seconds} s`, before)]
  for (const connections of [200, 1_000]) {
    const first = connections * 1_000_000
    const outcome = await runClients(server.url, { seconds: seconds / 4, connections, first })
    lines.push(describeOverload(`${connections} connections, ${seconds / 4} s`, outcome))
  }
  await new Promise((resolve) => setTimeout(resolve, 10_000))
  const after = await runClients(server.url, { seconds: seconds / 4, connections: 50, first: 5e6 })
  lines.push(describeLoad('50 connections again, 10 s later', after))
  lines.push(await compareTotals(server, sql))
  return lines
}

function describeLoad(title: string, outcome: Outcome): Line {
  const p95 = quantile(outcome.timesMs, 0.95)
  return {
    title,
    result: `${inWords(outcome)}; p95 ${Math.round(p95)} ms (goal ${P95_MS})`,
    isGood: outcome.faultCount === 0 && outcome.refused === 0 && p95 <= P95_MS,
  }
}

const describeOverload = (title: string, outcome: Outcome): Line => ({
  title,
  result: inWords(outcome),
  isGood: outcome.faultCount === 0 && goodOf(outcome) > 0,
})

/** The total that the API tells is the number of rows, after all the inserts. */
async function compareTotals(server: Server, sql: Sql): Promise<Line> {
  const [row] = await sql<{ n: string }[]>`select count(*) as n from entities.member`
  const response = await fetch(`${server.url}/api/entities/Member?size=1`, {
    headers: { authorization: AUTHORIZATION },
  })
  const { pagination } = await response.json()
  const isGood = String(pagination.total) === row?.n && pagination.total > PEOPLE
  return { title: 'total', result: `${pagination.total} of ${row?.n} rows`, isGood }
}

/** SIGTERM while 50 connections are busy: every answer that was started is whole, and the process ends with 0. */
export async function measureShutdown(server: Server): Promise<Line> {
  let isStopped = false
  const running = runClients(server.url, {
    seconds: 20,
    connections: 50,
    first: 8e6,
    stopped: () => isStopped,
  })
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  const from = performance.now()
  isStopped = true // connections that are refused from here on are no faults
  await server.stop()
  const seconds = (performance.now() - from) / 1000
  const outcome = await running
  return {
    title: 'SIGTERM under load',
    result: `ended after ${seconds.toFixed(1)} s (goal 15); ${inWords(outcome)}`,
    isGood: seconds <= 15 && outcome.faultCount === 0,
  }
}
