import { beforeEach, expect, test } from 'vitest'
import { auditLog, trashBatches } from '@/lib/db/schema'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { GET as BATCH } from '../trash/[batchId]/route'
import { DELETE as EMPTY, GET as TRASH } from '../trash/route'
import {
  CLERKS,
  changePolicy,
  createPolicy,
  deletePolicy,
  installOrders,
  keyOf,
  listPolicies,
  readPolicy,
  restore,
} from './testing/policies-api'

const deps = freshDeps()
beforeEach(installOrders)

const made = async (body: object = CLERKS) => (await createPolicy(body)).body.data[0].id as string
const changed = async (id: string, body: object) =>
  (await changePolicy(id, body)).body.meta.batchId as string
const deleted = async (id: string) => (await deletePolicy(id)).body.meta.batchId as string

test('a change is taken back, and a deletion, by the id that the policy had', async () => {
  const id = await made()
  const [before] = (await readPolicy(id)).body.data
  const batchId = await changed(id, { name: 'Clerks', actions: ['*'], fields: ['note'] })
  expect((await restore(batchId)).body.data).toEqual([{ restored: 1, conflicts: [] }])
  const [after] = (await readPolicy(id)).body.data
  expect(after).toEqual({ ...before, updatedAt: after.updatedAt })
  expect((await restore(batchId)).status).toBe(404)
  expect((await restore(await deleted(id))).body.data).toEqual([{ restored: 1, conflicts: [] }])
  expect((await readPolicy(id)).body.data).toMatchObject([{ id, name: CLERKS.name }])
})

test('what changes nothing is neither recorded nor undone', async () => {
  const id = await made()
  const entries = () => deps.db.$count(auditLog)
  const before = await entries()
  const { status, body } = await changePolicy(id, { actions: CLERKS.actions })
  expect([status, body.data[0].id, body.meta]).toEqual([200, id, {}])
  expect(await entries()).toBe(before)
})

test('what was changed or made since stays as it is', async () => {
  const id = await made()
  const first = await changed(id, { priority: 1 })
  const second = await changed(id, { priority: 2 })
  const { body } = await restore(first)
  expect(body.data).toMatchObject([
    {
      restored: 0,
      conflicts: [{ key: CLERKS.name, reason: 'changed-since', fields: ['priority'] }],
    },
  ])
  await restore(second)
  expect((await restore(first)).body.data).toMatchObject([{ restored: 1 }])
  const batchId = await deleted(id)
  await made()
  expect((await restore(batchId)).body.data).toMatchObject([
    { restored: 0, conflicts: [{ reason: 'unique-taken', fields: ['name'] }] },
  ])
})

test('what would not fit any more stays in the trash', async () => {
  const branches = await made({ ...CLERKS, entities: ['Branch'], where: [BY_MANAGER] })
  const batchId = await deleted(branches)
  await made({ ...CLERKS, name: 'b', entities: ['Employee'], where: [BY_BRANCH] })
  expect((await restore(batchId)).body.data).toMatchObject([
    { restored: 0, conflicts: [{ reason: 'does-not-fit' }] },
  ])
  expect((await listPolicies()).body.data).toHaveLength(1)
})

const BY_MANAGER = { field: 'manager.name', operator: 'eq', value: 'x' }
const BY_BRANCH = { field: 'branch.region', operator: 'eq', value: 'x' }

test('only those who manage security see and restore them, and no more than they may do', async () => {
  const id = await made({ ...CLERKS, actions: ['*'] })
  const batchId = await changed(id, { actions: ['read'] })
  const listed = async (headers: Record<string, string>) =>
    (await call(deps, TRASH, { path: '/api/trash', headers })).body.data
  const at = { path: `/api/trash/${batchId}`, params: { batchId } }
  const other = await keyOf(['ADMIN'], ['users:manage', '*:*', 'plugins:install'])
  expect(await listed(other)).toEqual([])
  expect((await call(deps, BATCH, { ...at, headers: other })).status).toBe(403)
  expect((await restore(batchId, other)).status).toBe(403)
  const security = await keyOf(['ADMIN'], ['security:manage', 'Order:read'])
  expect(await listed(security)).toMatchObject([
    { batchId, kind: 'policy', name: CLERKS.name, entity: null, entities: [] },
  ])
  expect((await restore(batchId, security)).status).toBe(403)
  expect((await restore(batchId, await keyOf(['ADMIN']))).status).toBe(200)
})

test('they are kept for a week, and go with the trash', async () => {
  await changed(await made(), { priority: 1 })
  const [batch] = await deps.db.select().from(trashBatches)
  const days = (Number(batch?.expiresAt) - Number(batch?.deletedAt)) / 86_400_000
  expect(days).toBeCloseTo(7, 1)
  const emptied = { method: 'DELETE', path: '/api/trash', as: 'ADMIN' }
  expect((await call(deps, EMPTY, emptied)).body.data).toEqual([{ removed: 1 }])
  expect(await deps.db.select().from(trashBatches)).toEqual([])
})
