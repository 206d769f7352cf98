import { isBusy } from '@/components/queue/create-queue'
import { cancelInstall } from '@/components/tasks/server-tasks'
import type { ShownTask } from '@/components/tasks/shown-task'
import { countOf } from '@/components/ui/number'
import { formatBytes } from '@/lib/values/format-bytes'
import type { QueueItem } from './install-queue'

type Item = Pick<QueueItem, 'id' | 'step' | 'state' | 'name' | 'size' | 'sent' | 'historyId'> & {
  preview?: Pick<NonNullable<QueueItem['preview']>, 'pluginName'>
  install?: Pick<
    NonNullable<QueueItem['install']>,
    'pluginName' | 'processedFiles' | 'totalFiles' | 'failedCount'
  >
}

/** The archives that are checked, sent or installed, as tasks of the header. */
export const installTasks = (items: readonly Item[], remove: (id: string) => void): ShownTask[] =>
  items
    .filter(isBusy)
    .map((item) => (item.historyId ? running(item, item.historyId) : sending(item, remove)))

/** The server has the archive: it goes on without the tab. */
function running({ name, install, preview }: Item, historyId: number): ShownTask {
  const { processedFiles: done = 0, totalFiles = 0, failedCount = 0 } = install ?? {}
  return {
    id: `install-${historyId}`,
    title: `Installing ${install?.pluginName ?? preview?.pluginName ?? name}`,
    done,
    total: totalFiles || null,
    progress: totalFiles ? `${done} of ${countOf(totalFiles, 'file')}` : 'Starting',
    by: null,
    errors: failedCount > 0 ? `${countOf(failedCount, 'file')} failed` : null,
    href: `/plugins/history/${historyId}`,
    needsTab: false,
    cancel: () => cancelInstall(historyId),
  }
}

function sending({ id, step, name, size, sent }: Item, remove: (id: string) => void): ShownTask {
  const arrived = sent >= size
  return {
    id,
    title: `${step === 'check' ? 'Checking' : 'Sending'} ${name}`,
    done: sent,
    // How long the server checks it is not known.
    total: arrived ? null : size,
    progress: arrived ? '' : `${formatBytes(sent)} of ${formatBytes(size)}`,
    by: null,
    errors: null,
    href: '/plugins',
    needsTab: true,
    cancel: () => remove(id),
  }
}
