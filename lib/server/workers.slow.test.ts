import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseEnv } from '@/lib/env'
import { bundleServer } from '@/lib/testing/bundle-script'
import { runWorkers } from './run-workers'

type Reply = { pid: number; isAtWork: boolean; limit: number }

let app: ChildProcess
let bundle: string
let address: string
const ONCE = { headers: { connection: 'close' } }
/** A connection without a response for this long is lost. */
const LOST_MS = 5_000

beforeAll(async () => {
  bundle = await bundleServer('lib/testing/worker-app.ts')
})
/** One for all tests, until one of them ends it. */
beforeEach(async () => {
  if (!app || hasEnded(app)) await start()
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await end()
})
afterAll(() => end())

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null

async function end(): Promise<void> {
  if (!app || hasEnded(app)) return
  const ended = once(app, 'exit')
  app.kill('SIGKILL')
  await ended
}

async function start(processes = 2): Promise<void> {
  const port = await freePort()
  address = `http://127.0.0.1:${port}/api`
  app = spawn(process.execPath, [bundle], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...process.env,
      PORT: String(port),
      WEB_CONCURRENCY: String(processes),
      DATABASE_URL: 'postgres://unused',
      MAX_CONNECTIONS: '101',
    },
  })
  const [line] = await once(app.stdout as NodeJS.ReadableStream, 'data')
  expect(String(line)).toMatch(new RegExp(`^Engine is ready at .* in ${processes} processes\n$`))
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

const ask = async (path = ''): Promise<Reply> =>
  (await fetch(`${address}${path}`, { ...ONCE, signal: AbortSignal.timeout(LOST_MS) })).json()

/** Every worker that serves, by its process id. */
async function workers(): Promise<Map<number, Reply>> {
  const replies = await Promise.all(Array.from({ length: 12 }, () => ask()))
  return new Map(replies.map((reply) => [reply.pid, reply]))
}
const pids = async () => [...(await workers()).keys()].sort()
const atWork = async () =>
  [...(await workers()).values()].filter(({ isAtWork }) => isAtWork).map(({ pid }) => pid)

/** By all workers, as each of them says. */
async function counted(): Promise<number> {
  const { text } = (await ask('/metrics')) as unknown as { text: string }
  const [, count = '0'] =
    /engine_requests_shed_total{what="test",reason="test"} (\d+)/.exec(text) ?? []
  return Number(count)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('requests are divided among the workers, one of which does the background work', async () => {
  await expect.poll(async () => (await pids()).length).toBe(2)
  expect(await atWork()).toHaveLength(1)
  const [one] = (await workers()).values()
  expect(one?.limit).toBe(51)
})

test('metrics are those of all workers', async () => {
  const before = await counted()
  const asked = (await Promise.all(Array.from({ length: 10 }, () => ask()))).length
  expect(await counted()).toBe(before + asked)
})

test('SIGHUP replaces all workers without a failed request', async () => {
  const before = await pids()
  let failed = 0
  let done = false
  const client = async () => {
    while (!done) await ask().catch(() => failed++)
  }
  const clients = Array.from({ length: 4 }, client)
  app.kill('SIGHUP')
  await expect.poll(async () => (await pids()).some((pid) => before.includes(pid))).toBe(false)
  done = true
  await Promise.all(clients)
  expect(failed).toBe(0)
  await expect.poll(async () => (await pids()).length).toBe(2)
  expect(await atWork()).toHaveLength(1)
})

test('a killed worker is replaced, and its background work taken over', async () => {
  await expect.poll(async () => (await pids()).length).toBe(2)
  const [killed = 0] = await atWork()
  process.kill(killed, 'SIGKILL')
  // Connections that Node has just handed to a process that dies are lost.
  await expect.poll(async () => (await pids().catch(() => [])).length).toBe(2)
  await expect.poll(() => atWork().catch(() => [])).toHaveLength(1)
  expect(await pids()).not.toContain(killed)
})

describe('with clients that keep their connections', () => {
  let failed = 0
  let done = false
  const seen = new Set<number>()
  const client = async () => {
    while (!done) {
      const reply: Reply | null = await fetch(address).then(
        (response) => response.json(),
        () => null,
      )
      if (reply) seen.add(reply.pid)
      else failed++
      await delay(20)
    }
  }
  let clients: Promise<void>[] = []
  beforeEach(async () => {
    failed = 0
    done = false
    seen.clear()
    clients = Array.from({ length: 4 }, client)
    await expect.poll(() => seen.size).toBe(2)
  })
  afterEach(async () => {
    done = true
    await Promise.all(clients)
  })

  test('SIGHUP replaces all workers without a failed request', { timeout: 20_000 }, async () => {
    const before = [...seen]
    app.kill('SIGHUP')
    await expect.poll(() => before.filter(isAlive), { timeout: 15_000 }).toEqual([])
    expect(failed).toBe(0)
  })

  test('SIGTERM while workers are replaced ends all of them', { timeout: 20_000 }, async () => {
    app.kill('SIGHUP')
    await expect.poll(() => seen.size, { timeout: 10_000 }).toBeGreaterThan(2)
    const ended = once(app, 'exit')
    app.kill('SIGTERM')
    await ended
    expect([...seen].filter(isAlive)).toEqual([])
  })
})

test('SIGTERM lets running requests end, and exits with 0', async () => {
  const slow = ask('/slow')
  await ask()
  const ended = once(app, 'exit')
  app.kill('SIGTERM')
  expect((await slow).pid).toBeGreaterThan(0)
  expect(await ended).toEqual([0, null])
})

test('SIGHUP ends a single process in the same way: there is no other to replace it', async () => {
  await end()
  await start(1)
  const slow = ask('/slow')
  await ask()
  const ended = once(app, 'exit')
  app.kill('SIGHUP')
  expect((await slow).pid).toBe(app.pid)
  expect(await ended).toEqual([0, null])
})

test('several processes on the embedded database are refused', async () => {
  const settings = parseEnv({ WEB_CONCURRENCY: '2' })
  await expect(runWorkers(settings)).rejects.toThrow(/needs PostgreSQL: set DATABASE_URL/)
})
