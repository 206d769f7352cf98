import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { PATCH as CHANGE } from '@/app/api/entities/[entityName]/[id]/route'
import {
  POST as CREATE_BATCH,
  DELETE as DELETE_BATCH,
} from '@/app/api/entities/[entityName]/batch/route'
import { rows } from '@/lib/db/sql'
import type { InstallPreview } from '@/lib/installs/plan-contract'
import { freshDeps } from '@/lib/testing/deps'
import {
  ADDED,
  added,
  CHANGED,
  COUNT,
  DELETED,
  EDITED,
  editedCity,
  editedState,
  firstVersion,
  ID,
  installedState,
  NOTHING_UNEXPLAINED,
  REMOVED,
  type State,
  secondVersion,
  stateOf,
  unexplained,
  upgradedState,
} from '@/lib/testing/plugin-life'
import { call, testKey } from '@/lib/testing/request'
import { POST as ROLL_BACK } from './history/[id]/rollback/route'
import { exportPlugin } from './testing/export-api'
import { install, logsOf, upload } from './testing/plugin-api'
import { uninstall } from './testing/uninstall-api'

const deps = freshDeps()

async function expectState(expected: State): Promise<void> {
  const found = await rows<{ record: Record<string, unknown> }>(
    deps.db,
    sql`select to_jsonb(t) - '$extra' as record from entities.customer as t`,
  )
  const is = stateOf(found.map(({ record }) => record))
  expect(unexplained(is, expected)).toEqual(NOTHING_UNEXPLAINED)
}

const rollBack = (id: number, query = '') =>
  call(deps, ROLL_BACK, {
    method: 'POST',
    path: `/api/plugins/history/${id}/rollback${query}`,
    params: { id: String(id) },
    as: 'ADMIN',
  })

/** Runs what was planned, by its seal, and returns the report of the data file; both must say the same. */
async function planAndInstall(files: Uint8Array, query = '') {
  const preview = await upload(deps, files, { query: `?dryRun=true${query}` })
  const plan: InstallPreview = preview.body.data.plan
  const done = await install(deps, files, { query: `?seal=${plan.seal}${query}` })
  expect(done.body).toMatchObject({ data: { failedCount: 0 } })
  const essence = (logs: readonly object[]) =>
    logs.map((log) => {
      const { path, status, records, changes, conflicts, conflictCount, removed } = log as never
      return { path, status, records, changes, conflicts, conflictCount, removed }
    })
  expect(essence(done.logs)).toEqual(essence(plan.files))
  return { history: done.body.data.history as number, log: done.logs.at(-1) }
}

/** People work with it. */
async function edit(): Promise<void> {
  const headers = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
  for (const id of EDITED) {
    const { status } = await call(deps, CHANGE, {
      method: 'PATCH',
      path: `/api/entities/Customer/${id}`,
      params: { entityName: 'Customer', id: String(id) },
      headers,
      body: { city: editedCity(id) },
    })
    expect(status).toBe(200)
  }
  const batch = {
    path: '/api/entities/Customer/batch',
    params: { entityName: 'Customer' },
    headers,
  }
  const query = [{ field: 'id', operator: 'in', value: DELETED }]
  const body = { entity: 'Customer', query }
  const missing = await call(deps, DELETE_BATCH, { ...batch, method: 'DELETE', body })
  expect(missing.body.data).toEqual([{ effected: DELETED.length }])
  const created = await call(deps, CREATE_BATCH, {
    ...batch,
    method: 'POST',
    body: ADDED.map(added),
  })
  expect(created.status).toBe(201)
}

test('install, edit, upgrade, roll back, upgrade otherwise, export, uninstall, install again', async () => {
  const v2 = await secondVersion()
  const first = await planAndInstall(await firstVersion())
  expect(first.log?.records).toMatchObject({ created: COUNT, failed: 0 })
  await expectState(installedState())
  await edit()
  await expectState(editedState())

  // The second version keeps what was edited here.
  const upgrade = await planAndInstall(v2, '&removed=delete')
  expect(upgrade.log?.conflictCount).toBe(8)
  expect(upgrade.log?.records).toMatchObject({ created: 0, updated: CHANGED.length })
  expect(upgrade.log?.removed).toMatchObject({ total: REMOVED.length, deleted: REMOVED.length })
  const kept = upgradedState(() => false)
  await expectState(kept)

  // Back to what was there before it.
  const plan = await rollBack(upgrade.history, '?dryRun=true')
  expect(plan.status).toBe(200)
  await expectState(kept)
  const back = await rollBack(upgrade.history)
  expect(back.body).toMatchObject({ status: 200, data: { failedCount: 0 } })
  await expectState(editedState())

  // Again, and the plugin's values win.
  const again = await planAndInstall(v2, '&removed=delete&onConflict=take')
  expect(again.log?.conflictCount).toBe(8)
  const taken = upgradedState(() => true)
  await expectState(taken)

  // Away, and back from its export.
  const exported = await exportPlugin(deps, ID)
  const away = await uninstall(deps, ID)
  expect(away.status).toBe(200)
  const { body } = await install(deps, exported.bytes)
  expect(body).toMatchObject({ status: 200, data: { failedCount: 0 } })
  await expectState(taken)
  expect((await logsOf(deps, body.data.history)).at(-1)?.records).toMatchObject({
    created: taken.size,
  })
})
