import { expect } from 'vitest'
import type { Deps } from '@/lib/deps'
import type { InstallMode } from '@/lib/installs/contract'
import type { FileReport } from '@/lib/installs/file-report'
import type { InstallPreview, PlannedRecord } from '@/lib/installs/plan-contract'
import { archiveOf, uploadOf } from '@/lib/testing/archive'
import { databaseState } from '@/lib/testing/database-state'
import { call, testKey } from '@/lib/testing/request'
import { POST } from '../install/zip/route'
import { type Edit, makeEdit } from './make-edit'
import { type Files, historyOf, logsOf } from './plugin-api'

/**
 * Installs `first` into an empty database, makes the `edits`, then installs `second` with the seal of a
 * dry run of it: the dry run must leave no trace and equal the install, record by record.
 * Returns the outcome of the second's files.
 */
export async function checkDryRun(
  deps: Deps,
  first: Files,
  second: Files,
  mode: InstallMode,
  edits: readonly Edit[] = [],
): Promise<FileReport[]> {
  const key = await testKey(deps, ['ADMIN'])
  await post(deps, key, await archiveOf(first), '')
  for (const edit of edits) await makeEdit(deps, edit)
  const done = await installAsPredicted(deps, key, second, `&mode=${mode}`)
  return done?.files ?? []
}

type Predicted = {
  history: number
  files: InstallPreview['files']
  /** Path → what the dry run says of the records of the file. */
  records: Map<string, PlannedRecord[]>
}

/**
 * Plans and installs with the seal; both must be refused alike (null), or say the same. The dry run must
 * leave no trace.
 */
export async function installAsPredicted(
  deps: Deps,
  key: string,
  files: Files,
  options: string,
): Promise<Predicted | null> {
  const archive = await archiveOf(files)
  const before = await databaseState(deps.db)
  const preview = await post(deps, key, archive, `?dryRun=true${options}`)
  const predicted: InstallPreview | undefined = preview.body.data?.plan
  const ask = (query: string) => post(deps, key, archive, `${query}${options}`)
  const records = predicted ? await checkRecords(predicted, ask) : new Map()
  expect(await databaseState(deps.db)).toEqual(before)

  const seal = predicted ? `&seal=${predicted.seal}` : ''
  const real = await post(deps, key, archive, `?${options.slice(1)}${seal}`)
  const isNothing = predicted?.mode === 'atomic' && predicted.status === 'FAILED'
  expect(real.status).toBe(isNothing ? 422 : preview.status)
  if (!real.body.data || !predicted) {
    expect(preview.body).toEqual(real.body)
    return null
  }
  const { history } = real.body.data
  expect(predicted.files.map(essence)).toEqual((await logsOf(deps, history)).map(essence))
  expect(summary(predicted)).toEqual(summary(await historyOf(deps, history)))
  expect(predicted.files.filter(({ error }) => error === 'Internal error')).toEqual([])
  return { history, files: predicted.files, records }
}

type Response = Awaited<ReturnType<typeof call>>

/** The verdicts of records must add up to what is reported of their file, unless all are rolled back. */
async function checkRecords(
  { files }: InstallPreview,
  ask: (query: string) => Promise<Response>,
): Promise<Map<string, PlannedRecord[]>> {
  const found = new Map<string, PlannedRecord[]>()
  const isWritten = ({ kind, status }: InstallPreview['files'][number]) =>
    kind === 'data' && status !== 'failed' && status !== 'ignored'
  for (const { path, records, removed } of files.filter(isWritten).slice(0, MAX_ASKED)) {
    const { body } = await ask(
      `?dryRun=true&detail=records&size=1000&file=${encodeURIComponent(path)}`,
    )
    found.set(path, body.data.records)
    const count = (verdict: string) =>
      body.data.records.filter((record: { verdict: string }) => record.verdict === verdict).length
    const { created, updated, unchanged } = records
    const { total } = body.pagination
    expect([count('created'), count('deleted')]).toEqual([created, removed.deleted])
    // A key that the file gives twice is one record.
    const isEach = total - removed.deleted === created + updated + unchanged
    if (isEach) expect([count('updated'), count('unchanged')]).toEqual([updated, unchanged])
    expect(total - removed.deleted).toBeLessThanOrEqual(created + updated + unchanged)
  }
  return found
}

/** Each is a dry run of its own. */
const MAX_ASKED = 5

const post = (deps: Deps, key: string, archive: Uint8Array, query: string) =>
  call(deps, POST, {
    method: 'POST',
    path: `/api/plugins/install/zip${query}`,
    body: uploadOf(archive),
    headers: { authorization: `Bearer ${key}` },
  })

type Essence = Omit<FileReport, 'kind' | 'planned' | 'durationMs'>

export const essence = ({
  path,
  target,
  status,
  error,
  details,
  detailCount,
  groups,
  warnings,
  changes,
  records,
  conflicts,
  conflictCount,
  removed,
  deleted,
}: Essence): Essence => ({
  path,
  target,
  status,
  error,
  details,
  detailCount,
  groups,
  warnings,
  changes,
  records,
  conflicts,
  conflictCount,
  removed,
  deleted,
})

type Summary = Pick<
  InstallPreview,
  'status' | 'totalFiles' | 'successCount' | 'failedCount' | 'recordCount' | 'warningCount'
>

const summary = ({
  status,
  totalFiles,
  successCount,
  failedCount,
  recordCount,
  warningCount,
}: Summary): Summary => ({
  status,
  totalFiles,
  successCount,
  failedCount,
  recordCount,
  warningCount,
})
