import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { Actor } from '@/lib/auth/rights'
import { apiKeys, imports } from '@/lib/db/schema'
import { one, rows } from '@/lib/db/sql'
import { takeSlot } from '@/lib/load/gates'
import { freshDeps, testsOnPostgres } from '@/lib/testing/deps'
import { testKey, testKeyOfRoles } from '@/lib/testing/request'
import { importsByKey, importsOfUser, installPeople } from './testing/imports-api'

const deps = freshDeps()
beforeEach(() => installPeople(deps))

const BACKGROUND = { prefer: 'respond-async' }
const REVOKED = { revokedAt: new Date() }
const ended = async () => one(await deps.db.select().from(imports))
const stored = async () =>
  one(await rows<{ n: number }>(deps.db, sql`select count(*)::int as n from entities.person`)).n

test('an import of a key with roles of its own is that key’s alone', async () => {
  const ofRoles = async () => importsByKey(deps, await testKeyOfRoles(deps, ['EDITOR']))
  const mine = await ofRoles()
  const { id } = await mine.result('name,rank\nAnn,-1\nBob,1\n', { query: 'partial=true' })
  expect(await mine.list()).toMatchObject([{ id, created: 1, refused: 1, createdBy: 'test' }])
  expect((await mine.refused(id)).status).toBe(200)
  for (const other of [await ofRoles(), await importsOfUser(deps, ['ADMIN'])]) {
    await other.result('name\nEve\n')
    expect(await other.list()).toHaveLength(1)
    for (const act of [other.get, other.refused, other.cancel, other.remove])
      expect((await act(id)).status).toBe(404)
  }
})

/** Begins an import, which waits for its turn until the result is called. */
async function beginWaiting(key: string, query = '') {
  const prefix = key.slice(0, 12)
  const found = one(await deps.db.select().from(apiKeys).where(eq(apiKeys.prefix, prefix)))
  const actor = { id: found.id, userId: found.ownerId } as Actor
  const leave = await takeSlot(deps, 'import', { actor })
  await importsByKey(deps, key).send('name\nAnn\n', { query, headers: BACKGROUND })
  return leave
}

test.each([
  ['a key with roles of its own is revoked', testKeyOfRoles, REVOKED, 'no longer active'],
  ['such a key loses its role', testKeyOfRoles, { roles: ['VIEWER'] }, 'lacks the right'],
  ['a key of a person is revoked', testKey, REVOKED, 'no longer active'],
])('nothing is stored when %s while the import waits', async (_, makeKey, change, reason) => {
  const begin = await beginWaiting(await makeKey(deps, ['EDITOR']))
  await deps.db.update(apiKeys).set(change)
  begin()
  await expect.poll(ended).toMatchObject({
    ...{ status: 'FAILED', error: expect.stringContaining(reason) },
  })
  expect(await stored()).toBe(0)
})

test('nor is anything checked for a key that is revoked meanwhile', async () => {
  const begin = await beginWaiting(await testKeyOfRoles(deps, ['EDITOR']), 'dryRun=true')
  await deps.db.update(apiKeys).set(REVOKED)
  begin()
  await expect.poll(ended).toMatchObject({ status: 'FAILED', doneRows: 0 })
})

test.runIf(testsOnPostgres())('nor when it is revoked while the import runs', async () => {
  const mine = importsByKey(deps, await testKeyOfRoles(deps, ['EDITOR']))
  await deps.db.transaction(async (tx) => {
    await tx.execute(sql`lock table entities.person in exclusive mode`)
    await mine.send('name\nAnn\n', { headers: BACKGROUND })
    const waiting = sql`select pid from pg_locks where not granted and relation = 'entities.person'::regclass`
    await expect.poll(() => rows(tx, waiting)).toHaveLength(1)
    await deps.db.update(apiKeys).set(REVOKED)
  })
  await expect.poll(ended).toMatchObject({
    ...{ status: 'FAILED', error: expect.stringContaining('no longer active') },
  })
  expect(await stored()).toBe(0)
})
