import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { readRestoreState, restoreFolder } from '@/lib/backup/new-server'
import { pack, unpack } from '@/lib/backup/pack'
import { users } from '@/lib/db/schema'
import { rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { listEntities } from '@/lib/registry/registry'
import { Browser } from '@/lib/testing/browser'
import { testsOnCitus, testsOnPostgres, testsThroughPooler } from '@/lib/testing/deps'
import { hashPassword } from '@/lib/testing/password'
import { call, testRequest } from '@/lib/testing/request'
import { POST as RESTORE } from '../auth/restore/route'
import { POST as SET_UP } from '../auth/setup/route'
import { readRecords } from '../plugins/testing/uninstall-api'
import {
  fill,
  folder,
  type Instance,
  type Kind,
  makeInstance,
  stateOf,
  storedImage,
} from '../testing/backups'
import { POST as CONFIRM } from '../users/me/second-factors/confirmation/route'
import { GET as DOWNLOAD } from './route'

const ANN = { email: 'ann@example.com', password: 'correct horse battery' }

async function signedIn(deps: Deps): Promise<Browser> {
  const browser = new Browser(deps)
  expect((await browser.signIn(ANN.email, ANN.password)).status).toBe(200)
  return browser
}

/** A server with one of everything and an administrator. */
async function makeSource(kind: Kind): Promise<Instance> {
  const source = await makeInstance(kind)
  await source.run(async (deps) => {
    await fill(deps)
    const passwordHash = await hashPassword(ANN.password)
    const ann = { email: ANN.email, passwordHash, roles: ['ADMIN'], status: 'ACTIVATED' as const }
    await deps.db.insert(users).values(ann)
  })
  return source
}

/** Asks in the browser, which has confirmed who it is. */
async function download(deps: Deps): Promise<Uint8Array> {
  const browser = await signedIn(deps)
  const ask = () => browser.call(DOWNLOAD, { path: '/api/backup' })
  expect(await ask()).toMatchObject({ status: 403, body: { meta: { confirmation: 'required' } } })
  expect(await browser.call(DOWNLOAD, { path: '/api/backup?dryRun=true' })).toMatchObject({
    status: 403,
  })
  const { password } = ANN
  const path = '/api/users/me/second-factors/confirmation'
  expect((await browser.call(CONFIRM, { method: 'POST', path, body: { password } })).status).toBe(
    200,
  )
  const tried = await browser.call(DOWNLOAD, { path: '/api/backup?dryRun=true' })
  expect(tried).toMatchObject({ status: 200, body: { data: [], meta: { dryRun: true } } })
  const other = await deps.locks.take('write a backup', 0)
  expect(await browser.call(DOWNLOAD, { path: '/api/backup?dryRun=true' })).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('Another backup is being written') },
  })
  await other.release()
  const request = await testRequest(deps, { path: '/api/backup' })
  const headers = { 'sec-fetch-site': 'same-origin', cookie: browser.cookieHeader() }
  const response = await DOWNLOAD(new Request(request, { headers }), {
    params: Promise.resolve({}),
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-disposition')).toMatch(/engine-[\d-]+\.tar/)
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect(await readdir(join(deps.settings.DATA_DIR, 'backups'))).toEqual([])
  return bytes
}

function restore(deps: Deps, backup: Uint8Array) {
  const body = new FormData()
  body.set('file', new File([new Uint8Array(backup)], 'engine.tar'))
  return call(deps, RESTORE, { method: 'POST', path: '/api/auth/restore', body })
}

/** The backup with another file in it. */
async function changed(backup: Uint8Array, change: (opened: string) => Promise<void>) {
  const at = join(folder, crypto.randomUUID())
  await writeFile(`${at}.tar`, backup)
  await mkdir(at)
  await unpack(`${at}.tar`, at)
  await change(at)
  await pack(at, `${at}.new`)
  return readFile(`${at}.new`)
}

const BROKEN = [
  ['table', /what no backup of Engine does/],
  ['function', /lo_import\(\)/],
  ['later', /of a later version/],
  ['short', /no whole backup/],
  ['rows', /damaged/],
] as const
type How = (typeof BROKEN)[number][0]

const broken = (backup: Uint8Array, how: How) =>
  how === 'short' ? backup.slice(0, backup.length / 2) : changed(backup, (at) => breakIt(at, how))

async function breakIt(opened: string, how: How): Promise<void> {
  const [manifest, structure] = [join(opened, 'manifest.json'), join(opened, 'structure.json')]
  const content = JSON.parse(await readFile(manifest, 'utf8'))
  if (how === 'rows') return writeFile(join(opened, content.tables[0].data.path), 'x')
  if (how === 'later') content.schemaVersion = Date.now() * 2
  if (how === 'table') Object.assign(content.tables[0], { schema: 'pg_catalog', name: 'pg_authid' })
  if (how === 'function') {
    const made = JSON.parse(await readFile(structure, 'utf8'))
    made.before.push(`create table entities."x" (a oid default lo_import('/etc/passwd'))`)
    const text = JSON.stringify(made)
    await writeFile(structure, text)
    const sha256 = createHash('sha256').update(text).digest('hex')
    Object.assign(content.structure, { sha256, bytes: Buffer.byteLength(text) })
  }
  await writeFile(manifest, JSON.stringify(content))
}

const WAYS: [Kind, Kind][] = testsOnPostgres()
  ? [
      ['embedded', 'postgres'],
      ['postgres', 'embedded'],
    ]
  : [['embedded', 'embedded']]
const kind = testsOnPostgres() ? 'postgres' : 'embedded'

describe.skipIf(testsOnCitus() || testsThroughPooler())(
  'a backup in the browser',
  { timeout: 300_000 },
  () => {
    test.each(WAYS)('moves everything from %s to %s, both running', async (from, to) => {
      const source = await makeSource(from)
      const backup = await source.run(download)
      const original = await source.run(storedImage)
      const target = await makeInstance(to)
      await target.run(async (deps) => {
        // What a running server knows of the empty database.
        expect(await listEntities(deps)).toEqual([])
        // As a server that was killed leaves it.
        await mkdir(restoreFolder(deps.settings.DATA_DIR))
        expect(await readRestoreState(deps)).toBe('interrupted')
        const restored = await restore(deps, backup)
        expect(await readRestoreState(deps)).toBe('none')
        expect(restored).toMatchObject({
          status: 200,
          body: { data: [{ images: 1, warnings: [] }] },
        })
        expect((await readRecords(deps, 'Part')).body.pagination.total).toBe(3_003)
        expect(await storedImage(deps)).toEqual(original)
        await signedIn(deps)
        const log = await rows(
          deps.db,
          sql`select action from engine.audit_log where action like 'backup.%' order by 1`,
        )
        expect(log).toEqual([{ action: 'backup.download' }, { action: 'backup.restore' }])
      })
    })

    test('is restored on a new server only, and before its file is read', async () => {
      const source = await makeSource(kind)
      const before = await stateOf(source)
      await source.run(async (deps) => {
        const form = 'multipart/form-data; boundary=none'
        const refused = await call(deps, RESTORE, {
          method: 'POST',
          path: '/api/auth/restore',
          body: 'a form that would be refused, too',
          headers: { 'content-type': form },
        })
        expect(refused.status).toBe(409)
      })
      expect(await stateOf(source)).toEqual(before)
    })

    test('that is not as a backup of ours changes nothing, and the server can still be set up', async () => {
      const backup = await (await makeSource(kind)).run(download)
      const target = await makeInstance(kind)
      await target.run(async (deps) => {
        for (const [how, message] of BROKEN)
          expect(await restore(deps, await broken(backup, how)), how).toMatchObject({
            status: 400,
            body: { error: expect.stringMatching(message) },
          })
        expect(await readdir(deps.settings.DATA_DIR)).not.toContain('restore')
        const body = { email: 'bob@example.com', password: 'correct horse battery' }
        const made = await call(deps, SET_UP, { method: 'POST', path: '/api/auth/setup', body })
        expect(made.status).toBe(201)
      })
    })
  },
)
