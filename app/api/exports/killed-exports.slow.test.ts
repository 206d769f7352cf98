import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectOnce } from '@/lib/db/postgres-connection'
import { ApiServer } from '@/lib/testing/api-servers'
import { archiveOf, uploadOf } from '@/lib/testing/archive'
import { bundleServer } from '@/lib/testing/bundle-script'
import { testsOnPostgres } from '@/lib/testing/deps'
import { type Home, makeHome } from '@/lib/testing/engine-process'
import { onServer } from '@/lib/testing/on-server'
import { entityFiles, KEY } from '../testing/instances'

const RECORDS = 10_000
/** Without a server to say so, a lease is over after half a minute. */
const TAKEN_OVER = { timeout: 90_000, interval: 100 }
const SETTINGS = {
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'correct horse battery',
  BOOTSTRAP_API_KEY: KEY,
}

let bundle: string
let home: Home
const servers: ApiServer[] = []
const start = async () => {
  const server = await ApiServer.start(bundle, home, SETTINGS)
  servers.push(server)
  return server
}
const ask = (server: ApiServer, method: string, path: string, body?: unknown) =>
  server.send({ method, path, body, key: KEY })

beforeAll(async () => {
  bundle = await bundleServer('app/api/testing/api-app.ts')
  home = await makeHome()
  const first = await start()
  const properties = [{ name: 'n', type: 'integer' }]
  const body = uploadOf(await archiveOf(entityFiles('counted', { name: 'Counted', properties })))
  const path = '/api/plugins/install/zip'
  expect((await first.send({ method: 'POST', path, body, key: KEY })).status).toBe(200)
  for (let from = 0; from < RECORDS; from += 1000) {
    const records = Array.from({ length: 1000 }, (_, at) => ({ n: from + at }))
    const added = await ask(first, 'POST', '/api/entities/Counted/batch', records)
    expect(added.status, JSON.stringify(added.body)).toBe(201)
  }
  await endServers()
}, 120_000)
beforeEach(async () => {
  await start()
})
afterEach(endServers)
afterAll(() => home.remove())

async function endServers(): Promise<void> {
  await Promise.all(servers.splice(0).map((server) => server.kill()))
}

/** As half a minute later: what a dead process was at may be taken over. */
async function endLeases(): Promise<void> {
  const url = home.directUrl || home.databaseUrl
  if (url) await onServer(url, `update engine.exports set due_at = now() where status = 'RUNNING'`)
}

const begin = async (server: ApiServer): Promise<string> => {
  const reply = await ask(server, 'POST', '/api/entities/Counted/exports?format=csv', {})
  expect(reply.status).toBe(201)
  return reply.body.data[0].id
}
const read = async (server: ApiServer, id: string) =>
  (await ask(server, 'GET', `/api/exports/${id}`)).body.data[0]
const linesOf = async (server: ApiServer, id: string): Promise<number> =>
  (await ask(server, 'GET', `/api/exports/${id}/file`)).body.trim().split('\n').length

test('an export whose process is killed is prepared by the next process', async () => {
  const id = await begin(servers[0] as ApiServer)
  await servers[0]?.kill()
  await endLeases()
  const next = await start()
  await expect.poll(async () => (await read(next, id)).status, TAKEN_OVER).toBe('READY')
  expect(await read(next, id)).toMatchObject({ doneRows: RECORDS, totalRows: RECORDS })
  expect(await linesOf(next, id)).toBe(RECORDS + 1)
  expect((await ask(next, 'GET', '/api/tasks')).body.data).toEqual([])
}, 180_000)

describe.runIf(testsOnPostgres())('with a second instance', () => {
  /** Runs `work` while no export of the entity can go on. */
  async function held(work: () => Promise<void>): Promise<void> {
    const client = await connectOnce(home.directUrl || home.databaseUrl)
    try {
      await client.query('begin')
      await client.query('lock table entities.counted in access exclusive mode')
      await work()
    } finally {
      await client.end()
    }
  }
  const isRunning = (server: ApiServer, id: string) =>
    expect.poll(async () => (await read(server, id)).status).toBe('RUNNING')

  test('an export that was asked of one is seen, followed and downloaded on the other', async () => {
    const [first, second] = [servers[0] as ApiServer, await start()]
    let id = ''
    await held(async () => {
      id = await begin(first)
      await isRunning(second, id)
      const { data } = (await ask(second, 'GET', '/api/tasks')).body
      expect(data).toMatchObject([{ kind: 'export', id, name: 'Counted' }])
    })
    await expect.poll(async () => (await read(second, id)).status, TAKEN_OVER).toBe('READY')
    expect(await linesOf(second, id)).toBe(RECORDS + 1)
  }, 180_000)

  test('the other takes over what a killed one was at, and only once', async () => {
    const [first, second] = [servers[0] as ApiServer, await start()]
    let id = ''
    await held(async () => {
      id = await begin(first)
      await isRunning(second, id)
      await first.kill()
      await endLeases()
    })
    // It looks for what is due when it is asked for another one, and every 15 s.
    await begin(second)
    await expect.poll(async () => (await read(second, id)).status, TAKEN_OVER).toBe('READY')
    expect(await linesOf(second, id)).toBe(RECORDS + 1)
  }, 180_000)

  test('one that runs on the first is cancelled on the second', async () => {
    const [first, second] = [servers[0] as ApiServer, await start()]
    let id = ''
    await held(async () => {
      id = await begin(first)
      await isRunning(second, id)
      expect((await ask(second, 'POST', `/api/exports/${id}/cancel`)).status).toBe(200)
    })
    const again = await begin(first)
    await expect.poll(async () => (await read(first, again)).status, TAKEN_OVER).toBe('READY')
    expect(await read(first, id)).toMatchObject({ status: 'CANCELLED', bytes: 0 })
  }, 180_000)
})
