import { tmpdir } from 'node:os'
import { setTimeout as later } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { auditLog } from '@/lib/db/schema'
import { one, rows } from '@/lib/db/sql'
import { createLog } from '@/lib/log'
import { freshDeps, testDeps, testsOnCitus, testsOnPostgres } from '@/lib/testing/deps'
import type { Check } from './each/check'
import { ok } from './each/check'
import { proxyVerdict } from './each/configuration'
import { clockVerdict, diskVerdict } from './each/surroundings'
import { runChecks } from './run-checks'

const deps = freshDeps()

const verdictOf = async (name: string, headers = new Headers()) =>
  (await runChecks(deps, headers)).find((check) => check.name === name)

test('everything of a sound server is checked', async () => {
  const checks = await runChecks(deps, new Headers())
  expect(checks.filter(({ status }) => status === 'fault')).toEqual([])
  expect(checks.filter(({ status, action }) => (status === 'ok') !== (action === null))).toEqual([])
  const unchecked = checks.filter(({ finding }) => /could not be|no answer/.test(finding))
  expect(unchecked).toEqual([])
  expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length)
  const warned = checks.filter(({ status }) => status === 'warning').map(({ name }) => name)
  expect(warned).toEqual(expect.arrayContaining(['address', 'mail', 'backup']))
})

test.skipIf(testsOnCitus())(
  'an index that is not valid is named, a unique one as a fault',
  async () => {
    await deps.db.execute(sql`create table entities.sum (n int)`)
    await deps.db.execute(sql`create index sum_of_n on entities.sum (n)`)
    expect(await verdictOf('indexes')).toMatchObject({ status: 'ok' })
    await deps.db.execute(
      sql`update pg_index set indisvalid = false where indexrelid = 'entities.sum_of_n'::regclass`,
    )
    expect(await verdictOf('indexes')).toMatchObject({
      status: 'warning',
      finding: expect.stringContaining('sum_of_n'),
      action: expect.stringContaining('reindex'),
    })
    await deps.db.execute(
      sql`update pg_index set indisunique = true where indexrelid = 'entities.sum_of_n'::regclass`,
    )
    expect(await verdictOf('indexes')).toMatchObject({ status: 'fault' })
  },
)

test.runIf(testsOnPostgres())(
  'a statement that waits for a lock is told, with its holder',
  async () => {
    await deps.db.execute(sql`create table entities.held (n int)`)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let holding: Promise<void> | undefined
    const pid = await new Promise<number>((resolve) => {
      holding = deps.db.transaction(async (tx) => {
        await tx.execute(sql`lock table entities.held`)
        resolve(one(await rows<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`)).pid)
        await released
      })
    })
    const waiting = deps.db.transaction(async (tx) => {
      await tx.execute(sql`set local lock_timeout = 0`)
      await tx.execute(sql`select * from entities.held`)
    })
    await expect
      .poll(() => verdictOf('locks'), { timeout: 10_000, interval: 200 })
      .toMatchObject({ status: 'warning', finding: expect.stringContaining(`: ${pid}`) })
      .finally(release)
    await Promise.all([holding, waiting])
  },
)

test('a backup that was downloaded is known, until it is old', async () => {
  const add = (days: number) =>
    deps.db.insert(auditLog).values({
      ...{ actorType: 'user', action: 'backup.download', objectType: 'backup' },
      at: new Date(Date.now() - days * 86_400_000),
    })
  await add(9)
  expect(await verdictOf('backup')).toMatchObject({
    status: 'warning',
    finding: expect.stringContaining('9 days ago'),
  })
  await add(0)
  expect(await verdictOf('backup')).toMatchObject({ status: 'ok' })
})

test('backups on schedule are known, and restored on trial', async () => {
  const add = (action: string, days: number) =>
    deps.db.insert(auditLog).values({
      ...{ actorType: 'system', action, objectType: 'backup' },
      at: new Date(Date.now() - days * 86_400_000),
    })
  const key = Buffer.alloc(32).toString('base64')
  await testDeps({ BACKUP_SCHEDULE: '02:30', BACKUP_DIR: '/nowhere', BACKUP_KEY: key })
  const finding = (text: string) => expect.stringContaining(text)
  expect(await verdictOf('backup')).toMatchObject({ status: 'fault', finding: finding('ENOENT') })
  deps.settings.BACKUP_DIR = tmpdir()
  expect(await verdictOf('backup')).toMatchObject({ status: 'fault', finding: finding('No') })
  await add('backup.write', 3)
  expect(await verdictOf('backup')).toMatchObject({ status: 'fault', finding: finding('3 days') })
  await add('backup.write', 1)
  expect(await verdictOf('backup')).toMatchObject({ status: 'ok' })
  expect(await verdictOf('backup-verified')).toMatchObject({ status: 'warning' })
  await add('backup.verify', 36)
  expect(await verdictOf('backup-verified')).toMatchObject({ status: 'warning' })
  await add('backup.verify', 8)
  expect(await verdictOf('backup-verified')).toMatchObject({ status: 'ok' })
})

test('a secret in the data folder, mails and addresses without TLS are warned of, without their values', async () => {
  await testDeps({ APP_URL: 'http://engine.example.com', NEXTAUTH_SECRET: '' })
  const checks = await runChecks(deps, new Headers())
  const warned = checks.filter(({ status }) => status === 'warning').map(({ name }) => name)
  expect(warned).toEqual(expect.arrayContaining(['address', 'secret', 'mail']))
  expect(JSON.stringify(checks)).not.toContain(deps.secret.current)
})

test('what does not answer in time, or fails, is a warning of its own', async () => {
  const lines: string[] = []
  deps.log = createLog('warn', { write: (line) => void lines.push(line) })
  const checks: Check[] = [
    { name: 'never', title: 'Never', look: () => new Promise(() => {}) },
    {
      name: 'long',
      title: 'Long',
      look: async ({ db }) => {
        await db.execute(sql`select count(*) from generate_series(1, 1000000000)`)
        return ok('')
      },
    },
    {
      name: 'broken',
      title: 'Broken',
      look: () => {
        throw new Error('postgres://user:canary@host')
      },
    },
    { name: 'well', title: 'Well', look: () => later(1, ok('Well.')) },
  ]
  const found = await runChecks(deps, new Headers(), { checks, timeoutMs: 200 })
  expect(found.map(({ status }) => status)).toEqual(['warning', 'warning', 'warning', 'ok'])
  expect(JSON.stringify(found)).not.toContain('canary')
  expect(found[0]?.finding).toContain('0.2 s')
  expect(lines.join()).toContain('"check":"broken"')
})

test('what many ask for at once is looked at once, but for their own requests', async () => {
  const looks = { server: 0, request: 0 }
  const count = (name: keyof typeof looks) => {
    looks[name] += 1
    return later(20, ok(''))
  }
  const checks: Check[] = [
    { name: 'server', title: 'Server', look: () => count('server') },
    { name: 'request', title: 'Request', ofRequest: true, look: () => count('request') },
  ]
  const ask = () => runChecks(deps, new Headers(), { checks })
  await Promise.all(Array.from({ length: 10 }, ask))
  expect(looks).toEqual({ server: 1, request: 10 })
  await ask()
  expect(looks).toEqual({ server: 2, request: 11 })
})

const forwarded = (list: string, more = {}) => new Headers({ 'x-forwarded-for': list, ...more })

test.each([
  ['no proxy', new Headers(), { TRUST_PROXY: 0 }, 'ok'],
  ['a proxy that is not trusted', forwarded('192.0.2.1'), { TRUST_PROXY: 0 }, 'warning'],
  ['the proxy that is trusted', forwarded('192.0.2.1'), { TRUST_PROXY: 1 }, 'ok'],
  ['fewer proxies than are trusted', forwarded('192.0.2.1'), { TRUST_PROXY: 2 }, 'warning'],
  [
    'a proxy by another protocol',
    forwarded('192.0.2.1', { 'x-forwarded-proto': 'https' }),
    { TRUST_PROXY: 1, APP_URL: 'http://engine.example.com' },
    'warning',
  ],
  [
    'two proxies that say the protocol',
    forwarded('192.0.2.1, 192.0.2.2', { 'x-forwarded-proto': 'https, http' }),
    { TRUST_PROXY: 2, APP_URL: 'https://engine.example.com' },
    'ok',
  ],
])('a request through %s is judged', (_, headers, settings, status) => {
  const verdict = proxyVerdict(headers, settings)
  expect(verdict.status).toBe(status)
  expect(JSON.stringify(verdict)).not.toContain('192.0.2.1')
})

const GIB = 1024 ** 3
test.each([
  [diskVerdict(GIB / 5, 100 * GIB), 'fault'],
  [diskVerdict(4 * GIB, 100 * GIB), 'warning'],
  [diskVerdict(50 * GIB, 100 * GIB), 'ok'],
  [clockVerdict(-90), 'ok'],
  [clockVerdict(-2_500), 'warning'],
  [clockVerdict(31_000), 'fault'],
])('%j is a matter of degree', (verdict, status) => {
  expect(verdict.status).toBe(status)
})
