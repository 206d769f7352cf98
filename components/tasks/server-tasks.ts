import { queryOptions, useQuery } from '@tanstack/react-query'
import { countOf } from '@/components/ui/number'
import { api } from '@/lib/http/client'
import type { Task } from '@/lib/tasks/contract'
import type { ShownTask } from './shown-task'

const BUSY_MS = 2_000
const IDLE_MS = 5_000

const TASKS_KEY = ['tasks'] as const

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
export function toShown({ kind, id, name, startedBy, done, total, failed }: Task): ShownTask {
  return {
    id: `${kind}-${id}`,
    title: `Installing ${name}`,
    done,
    total,
    progress: total ? `${done} of ${countOf(total, 'file')}` : 'Starting',
    by: startedBy,
    errors: failed > 0 ? `${countOf(failed, 'file')} failed` : null,
    href: `/plugins/history/${id}`,
    needsTab: false,
    cancel: null,
  }
}
