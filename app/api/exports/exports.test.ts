import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { POST as EXPORT } from '@/app/api/entities/[entityName]/export/route'
import { GET as TASKS } from '@/app/api/tasks/route'
import { backgroundExports, users } from '@/lib/db/schema'
import { startExports, sweepExports } from '@/lib/export/start-exports'
import { freshDeps } from '@/lib/testing/deps'
import { call, testRequest } from '@/lib/testing/request'
import { addWaiting, auditedIn, exportsOfUser, installThings, partsIn } from './testing/exports-api'

const deps = freshDeps()
beforeEach(() => installThings(deps))

test.each([
  ['format=csv&bom=true', {}],
  ['format=csv', { fields: ['title'], sort: [{ field: 'title', direction: 'desc' }] }],
  ['format=json', {}],
])('the file is that of the direct export: %s %j', async (query, body) => {
  const mine = await exportsOfUser(deps)
  const id = await mine.prepare(query, body)
  const path = `/api/entities/Thing/export?${query}`
  const request = await testRequest(deps, { method: 'POST', path, body, headers: mine.headers })
  const direct = await EXPORT(request, { params: Promise.resolve({ entityName: 'Thing' }) })
  const file = await mine.download(id)
  expect(file.text).toBe(await direct.text())
  expect(file.headers.get('content-type')).toBe(direct.headers.get('content-type'))
  expect(file.headers.get('content-disposition')).toContain('filename="Thing.')
})

test('it counts records and bytes, keeps the digits of conditions, and expires after 7 days', async () => {
  const mine = await exportsOfUser(deps)
  const query = '[{"field":"size","operator":"eq","value":9007199254740993}]'
  const created = await mine.create('format=csv', JSON.parse(`{"query":[]}`))
  expect(created.status).toBe(201)
  expect(created.body.data[0]).toMatchObject({
    status: 'WAITING',
    entity: 'Thing',
    totalRows: null,
  })
  await startExports(deps)
  const all = await mine.read(created.body.data[0].id)
  expect(all).toMatchObject({ status: 'READY', doneRows: 3, totalRows: 3, error: null })
  const file = await mine.download(all.id)
  expect(all.bytes).toBe(Buffer.byteLength(file.text))
  const days = (Date.parse(all.expiresAt) - Date.parse(all.completedAt)) / 86_400_000
  expect(days).toBeCloseTo(7, 3)

  const request = await testRequest(deps, {
    ...{ method: 'POST', path: '/api/entities/Thing/exports', headers: mine.headers },
    body: new TextEncoder().encode(`{"query":${query}}`),
  })
  request.headers.set('content-type', 'application/json')
  const { POST } = await import('@/app/api/entities/[entityName]/exports/route')
  const response = await POST(request, { params: Promise.resolve({ entityName: 'Thing' }) })
  const { data } = (await response.json()) as { data: { id: string }[] }
  await startExports(deps)
  expect(await mine.read(data[0]?.id ?? '')).toMatchObject({ status: 'READY', doneRows: 1 })
})

test('what is wrong with the search is refused before anything is kept', async () => {
  const mine = await exportsOfUser(deps)
  expect((await mine.create('format=pdf')).status).toBe(400)
  expect((await mine.create('format=csv', { fields: ['nope'] })).status).toBe(400)
  expect((await mine.list()).body.data).toEqual([])
})

describe('an export is its owner’s', () => {
  test('others neither see, download, cancel nor delete it', async () => {
    const mine = await exportsOfUser(deps)
    const other = await exportsOfUser(deps, ['ADMIN'])
    const id = await mine.prepare()
    expect((await mine.list()).body.data).toHaveLength(1)
    expect((await other.list()).body.data).toEqual([])
    for (const act of [other.get, other.download, other.cancel, other.remove])
      expect((await act(id)).status).toBe(404)
    expect((await mine.download(id)).status).toBe(200)
  })

  test('who may no longer read the records gets no file, but may delete it', async () => {
    const mine = await exportsOfUser(deps)
    const id = await mine.prepare()
    await deps.db.update(users).set({ roles: [] }).where(eq(users.id, mine.ownerId))
    await expect.poll(async () => (await mine.download(id)).status).toBe(403)
    expect((await mine.remove(id)).status).toBe(200)
  })

  test('a file of columns that no longer exist is refused', async () => {
    const mine = await exportsOfUser(deps)
    const id = await mine.prepare('format=csv', { fields: ['title'] })
    const body = JSON.stringify({ fields: ['gone'], sort: [] })
    await deps.db.update(backgroundExports).set({ body })
    const refused = await mine.download(id)
    expect([refused.status, refused.body.error]).toEqual([
      403,
      expect.stringContaining('no longer exists'),
    ])
  })

  test('a key that is limited to scopes sees those of what it may read', async () => {
    const limited = await exportsOfUser(deps, ['ADMIN'], ['Thing:read'])
    const id = await limited.prepare()
    expect((await limited.list()).body.data).toHaveLength(1)
    expect((await limited.download(id)).status).toBe(200)
    await deps.db.update(backgroundExports).set({ entity: 'Other' })
    expect((await limited.list()).body.data).toEqual([])
    expect((await limited.get(id)).status).toBe(404)
  })

  test('an account that is disabled meanwhile gets none', async () => {
    const mine = await exportsOfUser(deps)
    const id = await addWaiting(deps, { ownerId: mine.ownerId })
    await deps.db.update(users).set({ status: 'DISABLED' }).where(eq(users.id, mine.ownerId))
    await startExports(deps)
    const [row] = await deps.db.select().from(backgroundExports).where(eq(backgroundExports.id, id))
    expect(row).toMatchObject({ status: 'FAILED', error: expect.stringContaining('not active') })
  })
})

test('one that waits is a task of its owner, and can be cancelled once', async () => {
  const mine = await exportsOfUser(deps)
  const id = await addWaiting(deps, { ownerId: mine.ownerId })
  const tasks = async () =>
    (await call(deps, TASKS, { path: '/api/tasks', headers: mine.headers })).body.data
  expect(await tasks()).toEqual([expect.objectContaining({ kind: 'export', id, name: 'Thing' })])
  expect((await mine.download(id)).status).toBe(409)
  expect((await mine.cancel(id)).body.data[0]).toMatchObject({ status: 'CANCELLED' })
  expect((await mine.cancel(id)).status).toBe(200)
  expect(await tasks()).toEqual([])
  await startExports(deps)
  expect(await mine.read(id)).toMatchObject({ status: 'CANCELLED', doneRows: 0 })
  expect(await auditedIn(deps)).toEqual(['exports.cancel'])
})

test('deleting removes the file; everything about it is audited', async () => {
  const mine = await exportsOfUser(deps)
  const id = await mine.prepare()
  expect((await mine.cancel(id)).status).toBe(409)
  await mine.download(id)
  expect(await partsIn(deps)).toBe(1)
  expect((await mine.remove(id)).status).toBe(200)
  expect(await partsIn(deps)).toBe(0)
  expect((await mine.get(id)).status).toBe(404)
  expect(await auditedIn(deps)).toEqual(['exports.create', 'exports.download', 'exports.delete'])
})

test('a user has at most 10, also when they are asked for at the same time', async () => {
  const mine = await exportsOfUser(deps)
  for (let n = 0; n < 8; n++) await addWaiting(deps, { ownerId: mine.ownerId })
  const responses = await Promise.all(Array.from({ length: 4 }, () => mine.create()))
  await startExports(deps)
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
  expect((await mine.list()).body.data).toHaveLength(10)
})

test('what has expired is deleted with its file, and only that', async () => {
  const mine = await exportsOfUser(deps)
  const [old, young] = [await mine.prepare(), await mine.prepare()]
  await deps.db
    .update(backgroundExports)
    .set({ expiresAt: sql`now() - interval '1 second'` })
    .where(eq(backgroundExports.id, old))
  await sweepExports(deps)
  expect((await mine.list()).body.data).toMatchObject([{ id: young }])
  expect(await partsIn(deps)).toBe(1)
})
