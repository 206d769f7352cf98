import { toast } from '@/components/ui/toast'
import { getQueryClient } from '@/lib/query/client'
import { ENTRIES, KINDS } from './install-status'
import type { History } from './searches'

/** Long enough to be seen by somebody who looks elsewhere. */
const NOTICE_MS = 20_000

/** Shows how an install ended, on any page but that of the queue, and refreshes every list. */
export function announceInstall(install: History): void {
  refreshPlugins()
  if (window.location.pathname === '/plugins') return
  const name = install.pluginName ?? install.source
  const duration = NOTICE_MS
  const action = {
    label: 'Open',
    onClick: () => window.location.assign(`/plugins/history/${install.id}`),
  }
  const { kind } = install
  const done = kind === 'install' ? `${name} is installed` : `${KINDS[kind]}: ${name}`
  if (install.cancelledBy)
    toast.info(`${ENTRIES[kind]} of ${name} was cancelled`, { duration, action })
  else if (install.status === 'SUCCESS') toast.success(done, { duration, action })
  else if (install.status === 'PARTIAL')
    toast.warning(`${name}: ${install.failedCount} of ${install.totalFiles} files failed`, {
      duration,
      action,
    })
  else toast.error(`${ENTRIES[kind]} of ${name} failed`, { duration, action })
}

/** After an install, whoever started it. */
export function refreshPlugins(): void {
  const client = getQueryClient()
  for (const queryKey of [
    ['search'],
    ['plugin-index'],
    ['plugin-install'],
    ['plugin'],
    ['entities'],
    ['entity'],
  ])
    void client.invalidateQueries({ queryKey })
}
