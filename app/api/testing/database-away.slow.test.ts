import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiServer, type Reply } from '@/lib/testing/api-servers'
import { archiveOf, uploadOf } from '@/lib/testing/archive'
import { bundleServer } from '@/lib/testing/bundle-script'
import { testsOnCitus, testsOnPostgres, testsThroughPooler } from '@/lib/testing/deps'
import { type Home, makeHome } from '@/lib/testing/engine-process'
import { onServer } from '@/lib/testing/on-server'
import { type OwnPostgres, startOwnPostgres } from '@/lib/testing/own-postgres'
import { entityFiles, KEY } from './instances'

const isMeant = testsOnPostgres() && !testsOnCitus() && !testsThroughPooler()
const SETTINGS = {
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'correct horse battery',
  BOOTSTRAP_API_KEY: KEY,
  DATABASE_POOL_SIZE: '4',
  READ_TIMEOUT_MS: '2000',
  WRITE_TIMEOUT_MS: '2000',
  SHED_DELAY_MS: '60000',
}
const NOTES = '/api/entities/Note'
const OWN_CONNECTIONS = `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app'`

describe.runIf(isMeant)('while its database is in trouble, a server', () => {
  let home: Home
  let server: OwnPostgres
  let proxy: Server
  /** The port that the server's connections lead to. */
  let target: number
  let api: ApiServer
  let acknowledged = 0

  beforeAll(async () => {
    home = await makeHome()
    const started = await startOwnPostgres()
    if (!started) throw new Error('No PostgreSQL server can be started on this machine')
    server = started
    target = Number(new URL(server.url).port)
    // Superusers are beyond limits. What is committed must be sent to the replica.
    await onServer(server.url, 'create role app login')
    await onServer(server.url, 'create database app owner app')
    await onServer(server.url, 'alter database app set synchronous_commit = local')
    proxy = createServer((socket) => {
      const onward = connect(target, '127.0.0.1')
      socket.pipe(onward).pipe(socket)
      socket.on('error', () => onward.destroy())
      onward.on('error', () => socket.destroy())
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const { port } = proxy.address() as AddressInfo
    const databaseUrl = `postgres://app@127.0.0.1:${port}/app`
    const bundle = await bundleServer('app/api/testing/api-app.ts')
    api = await ApiServer.start(bundle, { ...home, databaseUrl, directUrl: '' }, SETTINGS)
    for (const name of ['Note', 'Other']) {
      const properties = [{ name: 'text', type: 'string' }]
      const body = uploadOf(await archiveOf(entityFiles(name.toLowerCase(), { name, properties })))
      const installed = await ask('POST', '/api/plugins/install/zip', body)
      expect([installed.status, installed.body.data?.failedCount]).toEqual([200, 0])
    }
  })
  afterAll(async () => {
    await api?.kill()
    proxy?.close()
    await home?.remove()
    server?.stop()
  })

  const ask = (method: string, path: string, body?: unknown) =>
    api.send({ method, path, body, key: KEY })
  async function create(): Promise<Reply> {
    const reply = await ask('POST', NOTES, { text: 'x' })
    if (reply.status === 201) acknowledged++
    return reply
  }
  const statusOf = async (reply: Promise<Reply>) => (await reply).status
  /** As a client sees it that is to try again. */
  const isRefusal = ({ status, headers }: Reply) =>
    status === 503 && Number(headers.get('retry-after')) > 0

  test('answers 503 or as it must when its connections are ended every two seconds', async () => {
    let stopped = false
    let refused = 0
    const faults: string[] = []
    const client = async () => {
      while (!stopped) {
        const reply = await create()
        if (isRefusal(reply)) refused++
        else if (reply.status !== 201) faults.push(`${reply.status} ${JSON.stringify(reply.body)}`)
        const read = await ask('GET', `${NOTES}?size=1`)
        if (read.status !== 200 && !isRefusal(read))
          faults.push(`${read.status} ${JSON.stringify(read.body)}`)
      }
    }
    const clients = Promise.all([0, 1, 2, 3].map(client))
    for (let round = 0; round < 3; round++) {
      await new Promise((resolve) => setTimeout(resolve, 2_000))
      await onServer(server.url, OWN_CONNECTIONS)
    }
    stopped = true
    await clients
    expect(faults).toEqual([])
    await expect.poll(() => statusOf(create())).toBe(201)
    const { total } = (await ask('GET', NOTES)).body.pagination
    expect(total).toBeGreaterThanOrEqual(acknowledged)
    expect(total).toBeLessThanOrEqual(acknowledged + refused)
    acknowledged = total
  })

  test('refuses only what waits for a lock that another one holds', async () => {
    const other = new Client({
      connectionString: Object.assign(new URL(server.url), { pathname: '/app' }).href,
    })
    await other.connect()
    await other.query('begin')
    await other.query('lock table entities.note in access exclusive mode')
    const replies = await Promise.all([create(), ask('GET', `${NOTES}?filter=text:eq:x`)])
    expect(replies.map(isRefusal)).toEqual([true, true])
    expect(await statusOf(ask('GET', '/api/entities/Other'))).toBe(200)
    expect(await statusOf(api.send({ path: '/api/health/ready' }))).toBe(200)
    await other.end()
    await expect.poll(() => statusOf(create())).toBe(201)
  })

  test('refuses when there is no connection left, and goes on when there is one', async () => {
    await onServer(server.url, 'alter role app connection limit 0')
    await onServer(server.url, OWN_CONNECTIONS)
    await expect.poll(async () => isRefusal(await create())).toBe(true)
    expect(isRefusal(await ask('GET', NOTES))).toBe(true)
    expect(await statusOf(api.send({ path: '/api/health/ready' }))).toBe(503)
    await onServer(server.url, 'alter role app connection limit -1')
    await expect.poll(() => statusOf(create())).toBe(201)
    expect(await statusOf(api.send({ path: '/api/health/ready' }))).toBe(200)
  })

  test('reads from a replica that took over, and writes as soon as that is promoted', async () => {
    const replica = await server.replicate()
    try {
      const { total } = (await ask('GET', NOTES)).body.pagination
      const url = Object.assign(new URL(replica.url), { pathname: '/app' }).href
      const reader = new Client({ connectionString: url })
      await reader.connect()
      const copied = async () =>
        (await reader.query('select count(*)::int as n from entities.note')).rows[0].n
      await expect.poll(copied).toBe(total)
      await reader.end()
      target = Number(new URL(replica.url).port)
      server.kill()
      await expect.poll(() => statusOf(ask('GET', NOTES))).toBe(200)
      const refused = await create()
      expect(isRefusal(refused)).toBe(true)
      expect(refused.body.error).toContain('takes no changes at present')
      expect((await ask('GET', NOTES)).body.pagination.total).toBe(total)
      await onServer(replica.url, 'select pg_promote()')
      await expect.poll(() => statusOf(create())).toBe(201)
      expect((await ask('GET', NOTES)).body.pagination.total).toBe(total + 1)
    } finally {
      replica.stop()
    }
  })
})
