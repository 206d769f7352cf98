import { expect } from 'vitest'
import type { Deps } from '@/lib/deps'
import { databaseState } from '@/lib/testing/database-state'
import { filesOf, type Upgrade } from '@/lib/testing/random-upgrade'
import { call, testKey } from '@/lib/testing/request'
import { POST as ROLL_BACK } from '../history/[id]/rollback/route'
import { type ApiEdit, editByApi } from './api-edits'
import { essence, installAsPredicted } from './check-dry-run'
import { install, logsOf } from './plugin-api'
import { checkPredictedRecords, storedRecords } from './predicted-records'

export type Outcome = 'refused' | 'failed' | 'rolled back'

/**
 * Installs the first version, edits its records, and installs the second: plan, reports and tables must
 * agree. Then rolls it back, which must leave the database as before it, and rolls that back.
 */
export async function checkUpgrade(
  deps: Deps,
  { first, second }: Upgrade,
  edits: readonly ApiEdit[],
  options: string,
): Promise<Outcome> {
  const key = await testKey(deps, ['ADMIN'])
  await install(deps, filesOf(first, '1.0.0'))
  for (const edit of edits) await editByApi(deps, edit)
  const before = await state(deps)
  const stored = await storedRecords(deps)
  const done = await installAsPredicted(deps, key, filesOf(second, '2.0.0'), options)
  if (!done) return 'refused'
  await checkPredictedRecords(deps, stored, { first, second }, done)
  if (done.files.every(({ status }) => status === 'failed')) return 'failed'
  const after = await state(deps)
  const back = await rollBackAsPredicted(deps, done.history)
  expect(await state(deps)).toEqual(before)
  await rollBackAsPredicted(deps, back)
  expect(await state(deps)).toEqual(after)
  return 'rolled back'
}

/** Plans a rollback, does it with the seal, and returns its number. */
async function rollBackAsPredicted(deps: Deps, id: number): Promise<number> {
  const { status, body } = await rollBack(deps, id, '?dryRun=true')
  expect([status, body.error]).toEqual([200, undefined])
  const { plan } = body.data
  expect(plan.files.map(({ conflictCount }: { conflictCount: number }) => conflictCount)).toEqual(
    plan.files.map(() => 0),
  )
  const real = await rollBack(deps, id, `?seal=${plan.seal}`)
  expect([real.status, real.body.error]).toEqual([200, undefined])
  const { history } = real.body.data
  expect((await logsOf(deps, history)).map(essence)).toEqual(plan.files.map(essence))
  return history
}

const rollBack = (deps: Deps, id: number, query: string) =>
  call(deps, ROLL_BACK, {
    method: 'POST',
    path: `/api/plugins/history/${id}/rollback${query}`,
    params: { id: String(id) },
    as: 'ADMIN',
  })

/**
 * Everything but what only goes on: the history with its notes, the audit log, the trash (deleted records
 * are there), counters, the totals' log of changes, and keys of idempotent requests.
 */
async function state(deps: Deps) {
  const all = await databaseState(deps.db)
  const goesOn =
    /^engine\.(installs|install_files|plugin_changes|plugin_definition_changes|audit_log|trash_|entity_total|idempotency|.*_seq$)|^entities\.(sq_.*|.*_seq)$/
  return Object.fromEntries(Object.entries(all).filter(([name]) => !goesOn.test(name)))
}
