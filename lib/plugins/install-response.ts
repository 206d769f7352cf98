import type { InstallRow } from '@/lib/db/schema'
import type { InstallResponse } from './contract'

/** The body of `POST /api/plugins/install/zip`, interface.md §5; `history` is the history's id. */
export function responseOf(install: InstallRow, status = 200): InstallResponse {
  const { id, pluginId, pluginName, totalFiles, successCount, failedCount } = install
  return {
    status,
    message: messageFor(install),
    data: { history: id, pluginId, pluginName, totalFiles, successCount, failedCount },
  }
}

function messageFor({ status, totalFiles, failedCount }: InstallRow): string {
  if (status === 'IN_PROGRESS') return 'Plugin installation started'
  if (status === 'SUCCESS') return 'Plugin installed'
  if (status === 'PARTIAL')
    return `Plugin installed in part: ${failedCount} of ${totalFiles} files failed`
  return `Plugin not installed: ${failedCount} of ${totalFiles} files failed`
}
