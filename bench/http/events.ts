import { writeFileSync } from 'node:fs'
import type { Sql } from 'postgres'
import { Agent } from 'undici'
import { cpuMs, residentMib } from './cpu'
import { FOLLOWED, installFollowed, RECORDS } from './events-cases'
import { MAX_CHANGE_MS, MAX_STREAMS_CPU, MAX_STREAMS_MIB } from './goals'
import { machine } from './report'
import { quantile } from './rounds'
import { AUTHORIZATION, type Server } from './servers'

const RATE = 500
const SECONDS = 20
const WARM_UP_SECONDS = 8
const STREAMS = 1_000
const IDLE_SECONDS = 30

const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' }
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** How soon a change arrives, and what idle streams cost. Returns whether the goals are met. */
export async function measureEvents(engine: Server, sql: Sql): Promise<boolean> {
  await installFollowed(engine)
  await sql`vacuum (analyze)`
  const lines = [await machine(sql), '', '| measured | result | goal |', '|---|---|---|']
  let areMet = true
  const say = (title: string, result: string, goal: string, isMet: boolean) => {
    lines.push(`| ${title} | **${result}** | ${goal}${isMet ? '' : ' missed'} |`)
    process.stdout.write(`${lines.at(-1)}\n`)
    areMet &&= isMet
  }
  const { rate, p50, p95 } = await measureLatency(engine)
  const arrival = `p50 ${Math.round(p50)} ms, p95 ${Math.round(p95)} ms`
  say(
    `from a change to a stream, beside ${rate} updates a second`,
    arrival,
    `p95 ${MAX_CHANGE_MS} ms`,
    p95 <= MAX_CHANGE_MS,
  )
  const { mib, share } = await measureIdle(engine)
  const of = `${STREAMS.toLocaleString('en')} idle streams`
  say(`memory of ${of}`, `${mib.toFixed(0)} MiB`, `${MAX_STREAMS_MIB} MiB`, mib <= MAX_STREAMS_MIB)
  say(
    `processor time of ${of}`,
    `${(share * 100).toFixed(1)} % of one`,
    `${MAX_STREAMS_CPU * 100} %`,
    share <= MAX_STREAMS_CPU,
  )
  const intro = '# Following changes\n\nHow to read it: [README.md](README.md). Measured on'
  writeFileSync('bench/events.md', `${intro} ${lines.join('\n')}\n`)
  return areMet
}

/** From when the trigger wrote a change, before its commit, to when the stream has it. */
async function measureLatency({ url }: Server) {
  const times: number[] = []
  const closing = new AbortController()
  const listening = listen(url, closing.signal, (at) => times.push(Date.now() - Date.parse(at)))
  await write(url, WARM_UP_SECONDS)
  times.length = 0
  const written = await write(url, SECONDS)
  closing.abort()
  await listening
  const rate = Math.round(written / SECONDS)
  return { rate, p50: quantile(times, 0.5), p95: quantile(times, 0.95) }
}

async function listen(url: string, signal: AbortSignal, onChange: (at: string) => void) {
  const accept = { ...headers, accept: 'text/event-stream' }
  const response = await fetch(`${url}${FOLLOWED}/changes?limit=1000`, { headers: accept, signal })
  let text = ''
  try {
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (text + part).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const at = /"at":"([^"]+)"/.exec(block)?.[1]
        if (at) onChange(at)
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Updates at `RATE` a second; returns how many. */
async function write(url: string, seconds: number): Promise<number> {
  const dispatcher = new Agent({ connections: 16 })
  const from = performance.now()
  const open = new Set<Promise<unknown>>()
  let n = 0
  for (; performance.now() - from < seconds * 1000; n++) {
    const early = from + (n * 1000) / RATE - performance.now()
    if (early > 1) await pause(early)
    const body = JSON.stringify({ age: n % 90, score: n })
    const path = `${FOLLOWED}/${1 + ((n * 7919) % RECORDS)}`
    const one = dispatcher
      .request({ origin: url, path, method: 'PATCH', headers, body })
      .then((response) => response.body.dump())
      .finally(() => open.delete(one))
    open.add(one)
    if (open.size >= 64) await Promise.race(open)
  }
  await Promise.all(open)
  await dispatcher.close()
  return n
}

/** What streams cost beyond what the server costs without them. */
async function measureIdle({ url, pid }: Server) {
  await pause(10_000)
  const without = await shareOf(pid)
  const before = residentMib(pid) ?? Number.NaN
  const dispatcher = new Agent({ connections: STREAMS, bodyTimeout: 0 })
  const accept = { ...headers, accept: 'text/event-stream' }
  for (let n = 0; n < STREAMS; n++) {
    const path = `${FOLLOWED}/changes`
    const { body } = await dispatcher.request({ origin: url, path, method: 'GET', headers: accept })
    body.on('error', () => {}).resume()
  }
  await pause(10_000)
  const share = (await shareOf(pid)) - without
  const mib = (residentMib(pid) ?? Number.NaN) - before
  await dispatcher.destroy()
  return { mib, share }
}

/** Of a processor, while nothing is asked. */
async function shareOf(pid: number): Promise<number> {
  const used = cpuMs(pid) ?? Number.NaN
  await pause(IDLE_SECONDS * 1000)
  return ((cpuMs(pid) ?? Number.NaN) - used) / (IDLE_SECONDS * 1000)
}
