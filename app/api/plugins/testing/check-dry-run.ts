import { expect } from 'vitest'
import type { Deps } from '@/lib/deps'
import type { InstallMode, InstallPreview } from '@/lib/plugins/contract'
import type { FileReport } from '@/lib/plugins/file-report'
import { archiveOf, uploadOf } from '@/lib/testing/archive'
import { databaseState } from '@/lib/testing/database-state'
import { call, testKey } from '@/lib/testing/request'
import { POST } from '../install/zip/route'
import { type Files, historyOf, logsOf } from './plugin-api'

/**
 * Installs `first` into an empty database, then `second` after a dry run of it: the dry run must
 * leave no trace and equal the install. Returns the outcome of the second's files.
 */
export async function checkDryRun(
  deps: Deps,
  first: Files,
  second: Files,
  mode: InstallMode,
): Promise<FileReport[]> {
  const key = await testKey(deps, ['ADMIN'])
  await post(deps, key, await archiveOf(first), '')
  const archive = await archiveOf(second)
  const before = await databaseState(deps.db)
  const preview = await post(deps, key, archive, `?dryRun=true&mode=${mode}`)
  expect(await databaseState(deps.db)).toEqual(before)

  const real = await post(deps, key, archive, `?mode=${mode}`)
  expect(preview.status).toBe(real.status)
  if (real.status !== 200) {
    expect(preview.body).toEqual(real.body)
    return []
  }
  const foretold: InstallPreview = preview.body.data[0]
  const { history } = real.body.data
  expect(foretold.files.map(essence)).toEqual((await logsOf(deps, history)).map(essence))
  expect(summary(foretold)).toEqual(summary(await historyOf(deps, history)))
  expect(foretold.files.filter(({ error }) => error === 'Internal error')).toEqual([])
  return foretold.files
}

const post = (deps: Deps, key: string, archive: Uint8Array, query: string) =>
  call(deps, POST, {
    method: 'POST',
    path: `/api/plugins/install/zip${query}`,
    body: uploadOf(archive),
    headers: { authorization: `Bearer ${key}` },
  })

type Essence = Omit<FileReport, 'kind' | 'planned' | 'durationMs'>

const essence = ({
  path,
  target,
  status,
  error,
  details,
  detailCount,
  warnings,
  changes,
  records,
}: Essence): Essence => ({
  path,
  target,
  status,
  error,
  details,
  detailCount,
  warnings,
  changes,
  records,
})

type Summary = Pick<
  InstallPreview,
  'status' | 'totalFiles' | 'successCount' | 'failedCount' | 'recordCount'
>

const summary = ({
  status,
  totalFiles,
  successCount,
  failedCount,
  recordCount,
}: Summary): Summary => ({ status, totalFiles, successCount, failedCount, recordCount })
