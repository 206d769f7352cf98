import { queryOptions, useQuery } from '@tanstack/react-query'
import { countOf, formatCount } from '@/components/ui/number'
import { api } from '@/lib/http/client'
import { getQueryClient } from '@/lib/query/client'
import { TASKS_KEY } from '@/lib/query/keys'
import type { Task } from '@/lib/tasks/contract'
import { formatBytes } from '@/lib/values/format-bytes'
import type { ShownTask } from './shown-task'

const BUSY_MS = 2_000
const IDLE_MS = 5_000

const tasksOptions = queryOptions({
  queryKey: TASKS_KEY,
  queryFn: ({ signal }) => api<Task>('/api/tasks', { signal }),
  staleTime: 0,
  // Only while the tab is visible.
  refetchInterval: ({ state }) => (state.data?.data.length ? BUSY_MS : IDLE_MS),
  refetchOnWindowFocus: true,
})

/** What runs on the server, also what another tab or a program started; undefined before the first response. */
export const useServerTasks = (): Task[] | undefined => useQuery(tasksOptions).data?.data

/** As the header shows it. */
export function toShown(task: Task, mayInstall: boolean): ShownTask {
  if (task.kind === 'import') return runningImport(task)
  if (task.kind === 'export') return backgroundExport(task)
  if (task.kind === 'promotion') return runningPromotion(task)
  return ofPlugin(task.kind, task, mayInstall)
}

/** What is done to a plugin, in words. */
const ACTS = {
  ...{ install: 'Installing', uninstall: 'Uninstalling' },
  ...{ restore: 'Restoring', rollback: 'Rolling back' },
}

const ofPlugin = (
  kind: keyof typeof ACTS,
  { id, name, startedBy, done, total, failed }: Task,
  mayInstall: boolean,
): ShownTask => ({
  id: `install-${id}`,
  title: `${ACTS[kind]} ${name}`,
  done,
  total,
  progress: total ? `${done} of ${countOf(total, 'file')}` : 'Starting',
  by: startedBy,
  errors: failed > 0 ? `${countOf(failed, 'file')} failed` : null,
  href: `/plugins/history/${id}`,
  needsTab: false,
  cancel: mayInstall ? () => cancelInstall(id) : null,
})

const backgroundExport = ({ id, name, startedBy, done, total }: Task): ShownTask => ({
  id: `export-${id}`,
  title: `Exporting ${name}`,
  done,
  total,
  progress: total ? `${formatCount(done)} of ${countOf(total, 'record')}` : 'Waiting',
  by: startedBy,
  errors: null,
  href: '/exports',
  needsTab: false,
  cancel: () => cancel(`/api/exports/${id}/cancel`),
})

const runningImport = ({ id, name, startedBy, done, total, failed, dryRun }: Task): ShownTask => ({
  id: `import-${id}`,
  title: dryRun ? `Checking a file for ${name}` : `Importing into ${name}`,
  done,
  total,
  progress: total && done > 0 ? `${formatBytes(done)} of ${formatBytes(total)}` : 'Starting',
  by: startedBy,
  errors: failed > 0 ? `${countOf(failed, 'row')} refused` : null,
  href: `/entities/${encodeURIComponent(name)}?import=${id}`,
  needsTab: false,
  cancel: () => cancel(`/api/imports/${id}/cancel`),
})

const runningPromotion = ({ id, name, startedBy, done, total }: Task): ShownTask => ({
  id: `promotion-${id}`,
  title: total === null ? `Undoing a promotion with ${name}` : `Promoting with ${name}`,
  done,
  total,
  progress: total ? `${done} of ${countOf(total, 'part')}` : 'Running',
  by: startedBy,
  errors: null,
  href: '/settings/servers',
  needsTab: false,
  cancel: null,
})

export const cancelInstall = (id: string | number) => cancel(`/api/plugins/history/${id}/cancel`)

async function cancel(path: string): Promise<void> {
  await api(path, { method: 'POST' })
  await getQueryClient().invalidateQueries({ queryKey: TASKS_KEY })
}
