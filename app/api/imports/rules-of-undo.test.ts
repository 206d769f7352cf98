import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { POST as IMPORT } from '@/app/api/entities/[entityName]/import/route'
import { allow, clerk, deps } from '@/app/api/entities/[entityName]/testing/branches'
import { GET as RECORDS } from '@/app/api/trash/[batchId]/records/route'
import { POST as RESTORE } from '@/app/api/trash/[batchId]/restore/route'
import { GET as TRASH } from '@/app/api/trash/route'
import { rows } from '@/lib/db/sql'
import { call } from '@/lib/testing/request'

type Headers = Record<string, string>
const ALL = ['read', 'write', 'update', 'delete']
const OWN_BRANCH = {
  ...{ entities: ['Order'], actions: ALL },
  where: [{ field: 'branch', operator: 'eq', value: '$me.profile.branch' }],
}

async function importOf(headers: Headers, file: string, query = 'mode=upsert'): Promise<string> {
  const body = new FormData()
  body.set('file', new File([file], 'orders.csv'))
  const { body: answer } = await call(deps, IMPORT, {
    ...{ method: 'POST', path: `/api/entities/Order/import?undo=7d&${query}`, body, headers },
    params: { entityName: 'Order' },
  })
  return answer.data[0].batchId
}
const undo = async (headers: Headers, batchId: string) =>
  call(deps, RESTORE, {
    ...{ method: 'POST', path: `/api/trash/${batchId}/restore`, params: { batchId }, headers },
  })
const listed = async (headers: Headers): Promise<string[]> =>
  (await call(deps, TRASH, { path: '/api/trash', headers })).body.data.map(
    ({ batchId }: { batchId: string }) => batchId,
  )
const orders = () =>
  rows(
    deps.db,
    sql`select id::int, total::int from entities."order" where id in (1, 4, 8, 9) order by id`,
  )

test('is for those alone whose rules cover each record, as it is now', async () => {
  await allow(OWN_BRANCH)
  const admin = await clerk({}, ['ADMIN'])
  const headers = await clerk({ branch: 'N1' })
  const own = await importOf(headers, 'id,branch,total\n1,N1,11\n8,N1,88\n')
  const changedOther = await importOf(admin, 'id,total\n4,44\n', 'mode=update')
  const madeOther = await importOf(admin, 'id,branch,total\n9,S1,99\n')
  expect(await listed(headers)).toEqual([own])
  for (const batchId of [changedOther, madeOther])
    expect((await undo(headers, batchId)).status).toBe(404)
  await deps.db.execute(sql`update entities."order" set branch = 'S1' where id = 8`)
  expect(await listed(headers)).toEqual([])
  expect((await undo(headers, own)).status).toBe(404)
  await deps.db.execute(sql`update entities."order" set branch = 'N1' where id = 8`)
  expect((await undo(headers, own)).body.data).toEqual([{ restored: 2, conflicts: [] }])
  expect(await orders()).toEqual([
    { id: 1, total: 10 },
    { id: 4, total: 44 },
    { id: 9, total: 99 },
  ])
})

test('shows no hidden field of what it created, and hides changes of such fields', async () => {
  await allow({ entities: ['Order'], actions: ALL, fields: { except: ['margin', 'remark'] } })
  const admin = await clerk({}, ['ADMIN'])
  const headers = await clerk()
  const hidden = await importOf(admin, 'id,margin\n1,66\n', 'mode=update')
  const made = await importOf(admin, 'id,branch,total,margin,remark\n8,N1,8,66,secret\n')
  expect(await listed(headers)).toEqual([made])
  const params = { batchId: made }
  const { text } = await call(deps, RECORDS, {
    ...{ path: `/api/trash/${made}/records`, params, headers },
  })
  expect(text).toContain('"created"')
  expect(text).not.toMatch(/margin|remark|secret/)
  expect((await undo(headers, hidden)).status).toBe(404)
})
