import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { GET as SEARCH } from '@/app/api/entities/[entityName]/route'
import { importsOfUser } from '@/app/api/imports/testing/imports-api'
import { POST as ROLL_BACK } from '@/app/api/plugins/history/[id]/rollback/route'
import { install } from '@/app/api/plugins/testing/plugin-api'
import { POST as RESTORE } from '@/app/api/trash/[batchId]/restore/route'
import { rows } from '@/lib/db/sql'
import { pluginFiles } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { change, create, define, deps, historyOf, inBatch, restore, told } from './testing/books'

type Entry = { kind: string; action: string | null; by: object | null; install: object | null }
const briefly = async (id: string, entity = 'Book') =>
  (await historyOf(id, { entity })).body.data.map(({ kind, action, by, install }: Entry) => ({
    ...{ kind, action, by, install },
  }))

const plugin = (version: string, records: object[]) =>
  pluginFiles(
    {
      EngineSchemas: {
        files: { 's.json': { name: 'Cup', properties: [{ name: 'size', type: 'integer' }] } },
      },
      EngineEntities: {
        files: {
          'c.json': {
            name: 'Cup',
            history: true,
            pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }],
          },
        },
      },
      Cup: { manifest: { target: 'Cup', insertDuplicate: 'Upsert' }, files: { 'd.json': records } },
    },
    { version },
  )

test('names the install, the rollback and the plugin that did it', async () => {
  const first = (await install(deps, plugin('1.0.0', [{ id: 1, size: 1 }]))).body.data.history
  const second = (
    await install(deps, plugin('2.0.0', [{ id: 1, size: 2 }]), { query: '?mode=atomic' })
  ).body.data.history
  const undone = await call(deps, ROLL_BACK, {
    ...{ method: 'POST', path: `/api/plugins/history/${second}/rollback`, as: 'ADMIN' },
    params: { id: String(second) },
  })
  const named = { pluginId: 'com.example.shop', pluginName: 'Shop' }
  const found = await briefly('1', 'Cup')
  expect(found.map(({ kind, install }: Entry) => [kind, install])).toEqual([
    ['update', { ...named, kind: 'rollback', id: undone.body.data.history, version: '1.0.0' }],
    ['update', { ...named, kind: 'install', id: second, version: '2.0.0' }],
    ['insert', { ...named, kind: 'install', id: first, version: '1.0.0' }],
  ])
  expect(found[2].by).toEqual({ type: null, name: 'test' })
})

test('is predicted by a dry run, which leaves no version', async () => {
  const files = plugin('1.0.0', [{ id: 1, size: 1 }])
  const plan = await install(deps, files, { query: '?dryRun=true' })
  expect(JSON.stringify(plan.body.data)).toContain('Keep the history of the records of Cup')
  const { logs } = await install(deps, files)
  expect(JSON.stringify(logs)).toContain('Keep the history of the records of Cup')
  const next = plugin('2.0.0', [
    { id: 1, size: 2 },
    { id: 2, size: 1 },
  ])
  const again = await install(deps, next, { query: '?dryRun=true' })
  expect(again.body.data).toMatchObject({ successCount: 3, failedCount: 0 })
  expect((await historyOf('1', { entity: 'Cup' })).body.pagination.total).toBe(1)
  expect((await historyOf('2', { entity: 'Cup' })).status).toBe(404)
})

test('names who imported a file', async () => {
  const { result } = await importsOfUser(deps)
  const { status } = await result('id,title\n1,A\n2,B\n', { entityName: 'Book' })
  expect(status).toBe('DONE')
  expect(await briefly('2')).toEqual([
    {
      kind: 'insert',
      action: 'records.import',
      by: { type: 'api_key', name: 'test' },
      install: null,
    },
  ])
})

test('names who restored records from the trash, and what was undone', async () => {
  await create({ id: 1, title: 'A' })
  await inBatch('PATCH', { entity: 'Book', set: { title: 'B' } }, 'undo=1d')
  const { body } = await inBatch('DELETE', { entity: 'Book' }, 'undo=1d')
  const { batchId } = body.meta
  await call(deps, RESTORE, {
    ...{ method: 'POST', path: `/api/trash/${batchId}/restore`, as: 'ADMIN', params: { batchId } },
  })
  expect((await briefly('1')).map(({ kind, action }: Entry) => [kind, action])).toEqual([
    ['insert', 'records.restore'],
    ['delete', 'records.delete'],
    ['update', 'records.update'],
    ['insert', 'records.create'],
  ])
})

test('keeps the total known', async () => {
  await create({ id: 1, title: 'A' })
  await inBatch('POST', [
    { id: 2, title: 'B' },
    { id: 3, title: 'C' },
  ])
  await change('1', { title: 'D' })
  const total = sql`select total from engine.total_of('entities.book'::regclass)`
  expect(await rows(deps.db, total)).toEqual([{ total: '3' }])
})

test('is kept for as long as the definition says so, and stays when it no longer does', async () => {
  await create({ id: 1, title: 'A' })
  await define({ history: false })
  await change('1', { title: 'B' })
  expect(told((await historyOf('1')).body.data).map(([kind]) => kind)).toEqual(['insert'])
  expect((await historyOf('1')).body.meta.kept).toBe(false)
  await define()
  await change('1', { title: 'C' })
  expect(told((await historyOf('1')).body.data).map(([kind]) => kind)).toEqual(['update', 'insert'])
})

test('is read with the audit log by administrators', async () => {
  await create({ id: 1, title: 'A' })
  await change('1', { title: 'B' })
  const search = (entityName: string, query: string) =>
    call(deps, SEARCH, {
      path: `/api/entities/${entityName}?${query}`,
      params: { entityName },
      as: 'ADMIN',
    })
  const { body } = await search('EngineRecordVersions', 'filter=entity:eq:Book,key:eq:1&sort=id')
  expect(body.data).toMatchObject([
    { entity: 'Book', key: '1', kind: 'insert', before: null },
    { entity: 'Book', key: '1', kind: 'update', before: { title: 'A' } },
  ])
  const log = await search('EngineAuditLog', `filter=changeId:eq:${body.data[1].changeId}`)
  expect(log.body.data).toMatchObject([{ action: 'records.update', objectId: '1' }])
})

test('what happens to a record at the same time is in its history in the order in which it was done', async () => {
  await create({ id: 1, title: 't0' })
  await Promise.all([1, 2, 3, 4, 5].map((n) => change('1', { title: `t${n}` })))
  const { data } = (await historyOf('1')).body
  const titles = told(data).map(([, , changes]) => (changes as { title: string[] }).title)
  for (const [at, [before]] of titles.slice(0, -1).entries())
    expect(titles[at + 1]?.[1]).toBe(before)
  expect(new Set(titles.map(([, after]) => after)).size).toBe(6)
  expect((await restore('1', data[5].version)).body.data[0].title).toBe('t0')
})
