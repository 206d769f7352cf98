import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { GET as TASKS } from '@/app/api/tasks/route'
import { rows } from '@/lib/db/sql'
import { runningHere } from '@/lib/import/jobs/running'
import { sweepImports } from '@/lib/import/sweep-imports'
import { freshDeps, testsOnPostgres } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { auditedIn, importsOfUser, installPeople } from './testing/imports-api'

const deps = freshDeps()
beforeEach(() => installPeople(deps))

const MANY = `name,rank\n${Array.from({ length: 30_000 }, (_, n) => `name ${n},${n}\n`).join('')}`
const BACKGROUND = { prefer: 'respond-async' }
const count = async () => {
  const [found] = await rows<{ n: number }>(
    deps.db,
    sql`select count(*)::int as n from entities.person`,
  )
  return found?.n
}

test('a running import is cancelled within 2 seconds, and stores nothing', async () => {
  const mine = await importsOfUser(deps)
  const { body } = await mine.send(MANY, { headers: BACKGROUND })
  const { id } = body.data[0]
  // The embedded database serves no other request meanwhile.
  if (testsOnPostgres())
    await expect.poll(async () => (await mine.list())[0].status).toBe('RUNNING')
  const startedAt = performance.now()
  const cancelled = await mine.cancel(id)
  expect(performance.now() - startedAt).toBeLessThan(2_000)
  expect(cancelled.body.data[0]).toMatchObject({ status: 'CANCELLED', created: 0 })
  await expect.poll(runningHere).toEqual([])
  expect((await mine.cancel(id)).status).toBe(200)
  expect((await mine.get(id)).body.data[0]).toMatchObject({ status: 'CANCELLED', created: 0 })
  expect(await count()).toBe(0)
  expect(await auditedIn(deps)).toEqual(['imports.create', 'imports.cancel'])
})

test('one that runs elsewhere ends when its row says so', async () => {
  const mine = await importsOfUser(deps)
  const waiting = mine.send(MANY, { query: 'dryRun=true' })
  await expect.poll(async () => (await mine.list())[0]?.status).toBe('RUNNING')
  await deps.db.execute(sql`update engine.imports set status = 'CANCELLED', holder = null`)
  expect((await waiting).status).toBe(409)
  expect(await mine.list()).toMatchObject([{ status: 'CANCELLED' }])
})

test('an import is a task of its owner while it runs', async () => {
  const mine = await importsOfUser(deps)
  const waiting = mine.send(MANY, { query: 'dryRun=true' })
  const tasks = async () =>
    (await call(deps, TASKS, { path: '/api/tasks', headers: mine.headers })).body.data
  await expect.poll(tasks).toMatchObject([{ kind: 'import', name: 'Person', total: MANY.length }])
  expect((await waiting).body.data[0]).toMatchObject({ created: 30_000, doneRows: 30_000 })
  expect(await tasks()).toEqual([])
})

test('a deleted one stores nothing', async () => {
  const mine = await importsOfUser(deps)
  const { body } = await mine.send(MANY, { headers: BACKGROUND })
  expect((await mine.remove(body.data[0].id)).status).toBe(200)
  expect(await mine.list()).toEqual([])
  expect((await mine.get(body.data[0].id)).status).toBe(404)
  expect(await count()).toBe(0)
})

test('what a dead process left is closed, and what has expired is deleted', async () => {
  const mine = await importsOfUser(deps)
  const { id } = await mine.result('name\nAnn\n')
  await deps.db.execute(sql`update engine.imports set status = 'RUNNING',
    holder = gen_random_uuid(), completed_at = null, due_at = now() - interval '1 second'`)
  await sweepImports(deps)
  expect((await mine.get(id)).body.data[0]).toMatchObject({
    ...{ status: 'FAILED', error: expect.stringContaining('The server that ran the import ended') },
  })
  await deps.db.execute(sql`update engine.imports set expires_at = now() - interval '1 second'`)
  await sweepImports(deps)
  expect(await mine.list()).toEqual([])
})
