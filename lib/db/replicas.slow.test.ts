import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createLog } from '@/lib/log'
import { onServer } from '@/lib/testing/on-server'
import { type OwnPostgres, startOwnPostgres } from '@/lib/testing/own-postgres'
import { startPgBouncer } from '../../scripts/steps/pgbouncer.mjs'
import { LAST_LSN } from './log-position'
import { Replicas } from './replicas'
import { type Db, rows } from './sql'

let primary: OwnPostgres | null
const servers: OwnPostgres[] = []
beforeAll(async () => {
  primary = await startOwnPostgres()
  if (!primary) return
  await onServer(primary.url, 'alter database postgres set synchronous_commit = on')
  await onServer(primary.url, 'create table written ()')
  for (let left = 2; left > 0; left--) servers.push(await primary.replicate())
}, 60_000)
afterAll(() => {
  for (const server of [...servers, primary]) server?.stop()
})

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function open(replicaUrls: string[], maxLagMs = 2_000, url = primary?.url ?? '') {
  const replicas = await Replicas.open({ url, replicaUrls, poolSize: 2, maxLagMs, log })
  ends.push(() => replicas.close())
  return replicas
}

const log = createLog('silent')
const write = () => onServer(primary?.url ?? '', 'insert into written default values')
const urls = () => servers.map(({ url }) => url)
const chosen = async (replicas: Replicas, after: bigint | null = null) =>
  (await replicas.choose(after))?.name ?? null
const named = (server?: OwnPostgres) => {
  const { host, pathname } = new URL(server?.url ?? '')
  return host + pathname
}

/** From this server from now on; from none with an empty text. */
async function follow(server: OwnPostgres, source: string) {
  await onServer(server.url, `alter system set primary_conninfo = '${source}'`)
  await onServer(server.url, 'select pg_reload_conf()')
}

const isReceiving = ({ url }: OwnPostgres) =>
  onServer(url, 'select 1 / (1 - count(*)) from pg_stat_wal_receiver').then(
    () => false,
    () => true,
  )

test('what is no replica of the primary is refused in a line that says why', async ({ skip }) => {
  if (!primary) return skip()
  const other = await startOwnPostgres()
  ends.push(() => other?.stop())
  const replicaOfOther = await other?.replicate()
  ends.push(() => replicaOfOther?.stop())
  await expect(open([primary.url])).rejects.toThrow(/^DATABASE_REPLICA_URLS: .* accepts changes/)
  await expect(open([...urls(), other?.url ?? ''])).rejects.toThrow('another server')
  await expect(open([replicaOfOther?.url ?? ''])).rejects.toThrow('another server')
  await onServer(primary.url, 'create database apart')
  const apart = Object.assign(new URL(servers[0]?.url ?? ''), { pathname: '/apart' }).href
  const known = async () => open([apart]).catch((error) => error.message)
  await expect.poll(known, { timeout: 5_000 }).toMatch('another database than DATABASE_URL')
})

test('reads take turns, and leave one that does not replay', async ({ skip }) => {
  const [first, second] = servers
  if (!first) return skip()
  const replicas = await open(urls(), 300)
  await replicas.recordDefinitions()
  const seen = async () => new Set([await chosen(replicas), await chosen(replicas)])
  await expect.poll(seen).toEqual(new Set([named(first), named(second)]))
  await onServer(first.url, 'select pg_wal_replay_pause()')
  await write()
  await expect.poll(seen).toEqual(new Set([named(second)]))
  expect(replicas.states()).toMatchObject([{ status: 'stale' }, { status: 'fresh' }])
  await onServer(first.url, 'select pg_wal_replay_resume()')
  await expect.poll(seen).toEqual(new Set([named(first), named(second)]))
})

test('a read that must see a change waits for it briefly', async ({ skip }) => {
  const [first] = servers
  if (!first) return skip()
  const replicas = await open([first.url])
  await expect.poll(() => chosen(replicas)).not.toBeNull()
  await write()
  expect(await chosen(replicas, await replicas.position())).toBe(named(first))
  await onServer(first.url, 'select pg_wal_replay_pause()')
  ends.push(() => onServer(first.url, 'select pg_wal_replay_resume()'))
  await write()
  expect(await chosen(replicas, await replicas.position())).toBeNull()
  expect(await chosen(replicas)).toBe(named(first))
  expect(await chosen(replicas, LAST_LSN)).toBeNull()
})

test('no replica is read that has not replayed the definitions', async ({ skip }) => {
  const [first] = servers
  if (!first) return skip()
  const replicas = await open([first.url])
  await expect.poll(() => chosen(replicas)).not.toBeNull()
  await onServer(first.url, 'select pg_wal_replay_pause()')
  await write()
  await replicas.recordDefinitions()
  expect(await chosen(replicas)).toBeNull()
  await onServer(first.url, 'select pg_wal_replay_resume()')
  await expect.poll(() => chosen(replicas)).toBe(named(first))
})

test('a replica that is away at the start is used when it comes', async ({ skip }) => {
  const [first] = servers
  if (!first) return skip()
  first.halt()
  const replicas = await open([first.url])
  expect(await chosen(replicas)).toBeNull()
  expect(replicas.states()).toMatchObject([
    { status: 'away', reason: expect.stringMatching(/ECONNREFUSED/) },
  ])
  first.restart()
  await expect.poll(() => chosen(replicas)).toBe(named(first))
  const chosenOne = await replicas.choose(null)
  const read = sql`select pg_is_in_recovery() as "isReplica"`
  expect(chosenOne?.reader && (await rows(chosenOne.reader.db, read))).toEqual([
    { isReplica: true },
  ])
})

test('nothing is read while the primary is away, and replicas again when it is back', async ({
  skip,
}) => {
  const [first] = servers
  if (!first || !primary) return skip()
  const replicas = await open([first.url], 500)
  await expect.poll(() => chosen(replicas)).not.toBeNull()
  primary.halt()
  await expect.poll(() => chosen(replicas)).toBeNull()
  expect(await replicas.position()).toBe(LAST_LSN)
  primary.restart()
  await expect.poll(() => chosen(replicas), { timeout: 15_000 }).toBe(named(first))
})

test('a replica may be behind a pooler in transaction mode', async ({ skip }) => {
  const [first] = servers
  if (!first) return skip()
  const pooler = await startPgBouncer(first.url, { mode: 'transaction', connections: 2 })
  if (!pooler) return skip()
  ends.push(pooler.stop)
  const replicas = await open([pooler.url])
  await expect.poll(() => chosen(replicas)).not.toBeNull()
  const chosenOne = await replicas.choose(null)
  const read = (n: number) =>
    rows(
      chosenOne?.reader?.db as Db,
      sql`select ${n}::int as n, pg_is_in_recovery() as "isReplica"`,
    )
  const numbers = Array.from({ length: 20 }, (_, n) => n)
  const found = await Promise.all(numbers.map(read))
  expect(found.flat()).toEqual(numbers.map((n) => ({ n, isReplica: true })))
})

test('a replica that is promoted is refused from then on', async ({ skip }) => {
  const third = await primary?.replicate()
  if (!third) return skip()
  ends.push(third.stop)
  const replicas = await open([third.url])
  await expect.poll(() => chosen(replicas)).toBe(named(third))
  await onServer(third.url, 'select pg_promote()')
  await expect
    .poll(() => replicas.states(), { timeout: 5_000 })
    .toMatchObject([{ status: 'refused', reason: expect.stringMatching('promoted') }])
  expect(await chosen(replicas)).toBeNull()
})

test('after a failover, replicas are used that follow the new primary', async ({ skip }) => {
  const [first, last] = servers
  if (!first || !last || !primary) return skip()
  const replicas = await open([last.url])
  await expect.poll(() => chosen(replicas)).toBe(named(last))
  // A server can't follow one that was promoted without all that it has itself.
  await follow(first, '')
  await expect.poll(() => isReceiving(first)).toBe(false)
  const written = await replicas.position()
  await expect.poll(() => chosen(replicas, written)).toBe(named(last))
  primary.halt()
  await onServer(last.url, 'select pg_promote()')
  await onServer(last.url, 'checkpoint')
  await expect(open([last.url], 2_000, last.url)).rejects.toThrow('accepts changes')
  const later = await open([first.url], 2_000, last.url)
  const apart = [{ status: 'away', reason: expect.stringMatching(/another timeline/) }]
  await expect.poll(() => later.states()).toMatchObject(apart)
  const { port } = new URL(last.url)
  await follow(first, `host=127.0.0.1 port=${port} user=postgres`)
  const checked = () => onServer(first.url, 'checkpoint').then(() => chosen(later))
  await expect.poll(checked, { timeout: 60_000 }).toBe(named(first))

  primary.restart()
  const states = () => replicas.states()
  const refused = [{ status: 'refused', reason: expect.stringMatching('accepts changes') }]
  await expect.poll(states).toMatchObject(refused)
  expect(await chosen(replicas)).toBeNull()
}, 120_000)
