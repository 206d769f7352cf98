import { api } from '@/lib/http/client'
import type { History } from '@/lib/plugins/contract'
import type { Task } from '@/lib/tasks/contract'

/**
 * Shows how a task of the server ended if `viewer` started it, and refreshes what it changed. Says
 * nothing of what can no longer be read.
 */
export async function announceEnd(task: Task, viewer: string): Promise<void> {
  const { kind, id, startedBy } = task
  if (kind === 'export') {
    const { announceExport } = await import('@/components/exports/announce-export')
    return announceExport(id)
  }
  if (kind === 'import') {
    const { announceEnded } = await import('@/components/imports/announce-import')
    return announceEnded(id)
  }
  const { announceInstall, refreshPlugins } = await import('@/components/plugins/announce-install')
  if (startedBy !== viewer) return refreshPlugins()
  const found = await api<History>(`/api/plugins/history/${id}`).catch(() => null)
  if (found?.data[0]) announceInstall(found.data[0])
}
