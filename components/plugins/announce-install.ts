import { toast } from 'sonner'
import { getQueryClient } from '@/lib/query/client'
import type { History } from './types'

/** Shows how an install ended, on any page but that of the queue, and refreshes every list. */
export function announceInstall(install: History): void {
  const client = getQueryClient()
  for (const queryKey of [['search'], ['plugin-install'], ['plugin'], ['entities'], ['entity']]) {
    void client.invalidateQueries({ queryKey })
  }
  if (window.location.pathname === '/plugins') return
  const name = install.pluginName ?? install.source
  const action = {
    label: 'Open',
    onClick: () => window.location.assign(`/plugins/history/${install.id}`),
  }
  if (install.status === 'SUCCESS') toast.success(`${name} is installed`, { action })
  else if (install.status === 'PARTIAL')
    toast.warning(`${name}: ${install.failedCount} of ${install.totalFiles} files failed`, {
      action,
    })
  else toast.error(`${name} was not installed`, { action })
}
