import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { GET as HISTORY } from '@/app/api/entities/[entityName]/[id]/history/route'
import { GET as RECORDS } from '@/app/api/trash/[batchId]/records/route'
import { POST as RESTORE } from '@/app/api/trash/[batchId]/restore/route'
import { GET as TRASH } from '@/app/api/trash/route'
import { auditLog } from '@/lib/db/schema'
import { rows } from '@/lib/db/sql'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { importsOfUser } from './testing/imports-api'

const deps = freshDeps()

beforeEach(async () => {
  await installTestEntity(
    deps,
    {
      entity: { name: 'Part', auditable: true, history: true },
      schema: {
        properties: [
          { name: 'code', type: 'string', meta: { unique: true } },
          { name: 'price', type: 'decimal' },
          { name: 'of', type: 'integer', meta: { reference: { entity: 'Part', field: 'id' } } },
        ],
      },
    },
    [
      { id: 1, code: 'a', price: 1.5 },
      { id: 2, code: 'b', price: 2.5, colour: 'red' },
    ],
  )
})

const ADMIN = ['ADMIN']
const parts = () =>
  rows<JsonObject>(
    deps.db,
    sql`select id::int, code, price::text, "of"::int, "$extra" ->> 'colour' as colour from entities.part order by id`,
  )
const execute = (text: string) => deps.db.execute(sql.raw(text))
const kept = async () =>
  (await rows(deps.db, sql`select 1 from engine.trash_records`)).length +
  (await rows(deps.db, sql`select 1 from engine.trash_batches`)).length

async function importer(roles = ADMIN, scopes: string[] | null = null) {
  const user = await importsOfUser(deps, roles, scopes)
  const { headers } = user
  const at = (batchId: string) => ({ params: { batchId }, headers })
  return {
    ...user,
    run: (file: string, query: string) =>
      user.result(file, { entityName: 'Part', query: `undo=7d&${query}` }),
    undo: (batchId: string) =>
      call(deps, RESTORE, {
        ...{ method: 'POST', path: `/api/trash/${batchId}/restore`, ...at(batchId) },
      }),
    records: async (batchId: string) =>
      (await call(deps, RECORDS, { path: `/api/trash/${batchId}/records`, ...at(batchId) })).body
        .data,
    trash: async () => (await call(deps, TRASH, { path: '/api/trash', headers })).body.data,
  }
}

test('removes what it created and gives back what it replaced, also undeclared fields', async () => {
  const user = await importer()
  const before = await parts()
  const file = 'id,code,price,colour\n1,a,9.25,blue\n2,b,2.5,red\n7,c,3,green\n'
  const done = await user.run(file, 'mode=upsert')
  expect(done).toMatchObject({ created: 1, updated: 1, unchanged: 1 })
  expect(await user.trash()).toMatchObject([
    {
      batchId: done.batchId,
      kind: 'import',
      entity: 'Part',
      count: 2,
      created: 1,
      fileName: 'people.csv',
    },
  ])
  expect(await user.records(done.batchId)).toMatchObject([
    {
      ...{ key: 1, change: 'edited' },
      changes: [
        { field: 'price', before: 1.5, after: 9.25 },
        { field: 'colour', before: null, after: 'blue' },
      ],
    },
    { key: 7, change: 'created', record: { code: 'c', price: 3, colour: 'green' } },
  ])
  const { body } = await user.undo(done.batchId)
  expect(body.data).toEqual([{ restored: 2, conflicts: [] }])
  expect(await parts()).toEqual(before)
  expect(await kept()).toBe(0)
  expect((await user.get(done.id)).body.data).toMatchObject([{ status: 'UNDONE', batchId: null }])
  const noted = await deps.db.select().from(auditLog).orderBy(auditLog.id)
  expect(noted.slice(-2).map(({ action, details }) => ({ action, details }))).toMatchObject([
    { action: 'records.import', details: { batchId: done.batchId, undoDays: 7 } },
    { action: 'records.restore', details: { kind: 'import', removed: 1, restored: 1 } },
  ])
  const { body: history } = await call(deps, HISTORY, {
    ...{ path: '/api/entities/Part/1/history', headers: user.headers },
    params: { entityName: 'Part', id: '1' },
  })
  expect(history.data.map(({ action }: JsonObject) => action)).toEqual([
    ...['records.restore', 'records.import', null],
  ])
})

test('keeps and lists records that were changed, deleted or referred to since', async () => {
  const user = await importer()
  const file = 'id,code,price\n1,a,8\n2,b,8\n7,c,8\n8,d,8\n9,e,8\n10,f,8\n'
  const { batchId } = await user.run(file, 'mode=upsert')
  await execute('update entities.part set price = 5 where id in (1, 7)')
  await execute('delete from entities.part where id = 8')
  await execute('update entities.part set "of" = 9 where id = 2')
  await execute(`update entities.part set "$extra" = '{"colour":"red"}' where id = 10`)
  const { body } = await user.undo(batchId)
  const [{ restored, conflicts }] = body.data
  expect(restored).toBe(1)
  const found = conflicts.map(({ key, reason, fields }: JsonObject) => [key, reason, fields])
  expect(found).toEqual([
    [1, 'changed-since', ['price']],
    [7, 'changed-since', ['price']],
    [8, 'record-gone', []],
    [9, 'still-referenced', []],
    [10, 'changed-since', ['colour']],
  ])
  expect((await parts()).map(({ id, price }) => [id, Number(price)])).toEqual([
    ...[
      [1, 5],
      [2, 2.5],
      [7, 5],
      [9, 8],
      [10, 8],
    ],
  ])
  await execute('update entities.part set "of" = null')
  expect((await user.undo(batchId)).body.data).toMatchObject([{ restored: 1 }])
  expect(await user.trash()).toMatchObject([{ count: 4, created: 3 }])
})

test('undoes generated keys, other unique keys, and references among new and changed records', async () => {
  const user = await importer()
  const before = await parts()
  const chain = 'id,code,of\n1,a,22\n20,w,21\n21,y,22\n22,x,\n'
  const { batchId } = await user.run(chain, 'mode=upsert')
  expect((await user.undo(batchId)).body.data).toEqual([{ restored: 4, conflicts: [] }])
  expect(await parts()).toEqual(before)
  const made = await user.run('code\nq\nr\n', 'mode=create')
  expect(made).toMatchObject({ created: 2 })
  expect((await user.undo(made.batchId)).body.data).toMatchObject([{ restored: 2 }])
  const byCode = await user.run('code,price\na,7\nn,7\n', 'mode=upsert&key=code')
  expect((await user.undo(byCode.batchId)).body.data).toMatchObject([{ restored: 2 }])
  expect(await parts()).toEqual(before)
})

test('keeps nothing for what changed nothing, was refused or only tried', async () => {
  const user = await importer()
  expect(await user.run('id,price\n1,1.5\n', 'mode=update')).toMatchObject({ batchId: null })
  await user.run('id,price\n1,4\n99,5\n', 'mode=update')
  await user.run('id,price\n1,4\n', 'mode=update&dryRun=true')
  expect(await kept()).toBe(0)
  const done = await user.run('id,price\n1,4\n99,5\n', 'mode=update&partial=true')
  expect((await user.records(done.batchId)).length).toBe(1)
})

test('needs the rights to change, to delete what it created, and to read', async () => {
  const admin = await importer()
  const { batchId } = await admin.run('id,price\n1,4\n30,4\n', 'mode=upsert')
  const ways: [string[], number][] = [
    [['Part:update', 'Part:read'], 403],
    [['Part:delete', 'Part:read'], 403],
    [['Part:delete', 'Part:update'], 403],
  ]
  for (const [scopes, status] of ways) {
    const other = await importer(['EDITOR'], scopes)
    expect([(await other.undo(batchId)).status, (await other.trash()).length]).toEqual([status, 0])
  }
  const writer = await importer(['EDITOR'], ['Part:write'])
  const asked = await writer.send('id\n40\n', { entityName: 'Part', query: 'undo=7d' })
  expect(asked.status).toBe(403)
  const both = await importer(['EDITOR'], ['Part:delete', 'Part:update', 'Part:read'])
  expect(await both.trash()).toMatchObject([{ batchId }])
  expect((await both.undo(batchId)).status).toBe(200)
})

test('undoes many parts', async () => {
  const user = await importer()
  const before = await parts()
  const lines = Array.from({ length: 12_000 }, (_, n) => `${n + 1},c${n},${n}`)
  const done = await user.run(`id,code,price\n${lines.join('\n')}\n`, 'mode=upsert')
  expect(done).toMatchObject({ created: 11_998, updated: 2 })
  expect((await user.undo(done.batchId)).body.data).toEqual([{ restored: 12_000, conflicts: [] }])
  expect(await parts()).toEqual(before)
})
