import type { InstallRow, RecordConflict } from '@/lib/db/schema'
import { compareVersions } from '@/lib/values/compare-versions'
import type {
  InstallPreview,
  InstallResponse,
  NothingInstalled,
  PlannedRecord,
  PlanResponse,
} from './plan-contract'

/** The body of `POST /api/plugins/install/zip`; `history` is the history's id. */
export function responseOf(install: InstallRow, status = 200): InstallResponse {
  return { status, message: messageFor(install), data: dataOf(install) }
}

/** The response to an install that has ended; its `status` is that of HTTP. An atomic one that failed is an error. */
export function resultOf(install: InstallRow): InstallResponse | NothingInstalled {
  const { mode, status, errors } = install
  if (mode !== 'atomic' || status !== 'FAILED') return responseOf(install)
  return { status: 422, error: errors[0] ?? messageFor(install), data: dataOf(install) }
}

const dataOf = (install: InstallRow) => {
  const { id, pluginId, pluginName, totalFiles, successCount, failedCount } = install
  return { history: id, pluginId, pluginName, totalFiles, successCount, failedCount }
}

function messageFor({ status, totalFiles, failedCount }: InstallRow): string {
  if (status === 'IN_PROGRESS') return 'Plugin installation started'
  if (status === 'SUCCESS') return 'Plugin installed'
  if (status === 'PARTIAL')
    return `Plugin installed in part: ${failedCount} of ${totalFiles} files failed`
  return `Plugin not installed: ${failedCount} of ${totalFiles} files failed`
}

type Planned = {
  plan: InstallPreview
  page?: { page: number; size: number; detail: 'records' | 'conflicts' }
  changes: { total: number; items: PlannedRecord[] } | null
  conflicts: { total: number; items: RecordConflict[] }
}

/** The body of a dry run: as that of the install, with the plan, and the records or conflicts of the `page`. */
export function planResponseOf({ plan, page, changes, conflicts }: Planned): PlanResponse {
  const { pluginId, pluginName, totalFiles, successCount, failedCount } = plan
  const data = { history: null, pluginId, pluginName, totalFiles, successCount, failedCount, plan }
  const message = 'Plan of the installation; nothing was written'
  if (!page) return { status: 200, message, data }
  const { total } = page.detail === 'conflicts' ? conflicts : (changes ?? { total: 0 })
  const pages = Math.ceil(total / page.size)
  const { page: current } = page
  const pagination = { current, total, pages, first: current === 0, last: current >= pages - 1 }
  const listed =
    page.detail === 'conflicts' ? { conflicts: conflicts.items } : { records: changes?.items ?? [] }
  return { status: 200, message, data: { ...data, ...listed }, pagination }
}

/** Whether a version is older than the installed one; undefined where none is installed. */
export const isOlder = (version: string | null, installed: string | null | undefined): boolean =>
  Boolean(installed && version && compareVersions(version, installed) < 0)
