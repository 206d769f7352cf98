import { toast } from 'sonner'
import { getQueryClient } from '@/lib/query/client'
import type { QueueItem } from './install-queue'

/** Says how an install ended, on whatever page the person is, and has every list look again. */
export function announceInstall({ install, historyId }: QueueItem): void {
  const client = getQueryClient()
  for (const queryKey of [['search'], ['plugin-install'], ['plugin']]) {
    void client.invalidateQueries({ queryKey })
  }
  if (!install || window.location.pathname === '/plugins') return
  const name = install.pluginName ?? install.source
  const action = {
    label: 'Open',
    onClick: () => window.location.assign(`/plugins/history/${historyId}`),
  }
  if (install.status === 'SUCCESS') toast.success(`${name} is installed`, { action })
  else if (install.status === 'PARTIAL')
    toast.warning(`${name}: ${install.failedCount} of ${install.totalFiles} files failed`, {
      action,
    })
  else toast.error(`${name} was not installed`, { action })
}
