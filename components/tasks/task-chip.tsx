import { LoaderCircleIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useEffect, useRef, useState } from 'react'
import { useCan, useViewer } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { Popover } from '@/components/ui/popover'
import { api } from '@/lib/http/client'
import type { History } from '@/lib/installs/contract'
import type { Task } from '@/lib/tasks/contract'
import { useLocalTasks } from './local-tasks'
import { toShown, useServerTasks } from './server-tasks'
import { chipLabel, mergeTasks, type ShownTask } from './shown-task'

const TaskList = dynamic(() => import('./task-list'), { ssr: false })

/** What is running, on every page; nothing while nothing is. */
export default function TaskChip() {
  const local = useLocalTasks()
  const server = useServerTasks()
  const mayInstall = useCan('plugins:install')
  useEndedTasks(
    server,
    local.map(({ id }) => id),
  )
  const tasks = mergeTasks(
    local,
    (server ?? []).map((task) => toShown(task, mayInstall)),
  )
  return tasks.length === 0 ? null : <Chip tasks={tasks} />
}

function Chip({ tasks }: { tasks: readonly ShownTask[] }) {
  const [isOpen, setOpen] = useState(false)
  const label = chipLabel(tasks)
  return (
    <Popover
      title="Running"
      open={isOpen}
      onOpenChange={setOpen}
      align="end"
      className="w-96"
      trigger={
        <Button size="sm" className="min-w-0 shrink" aria-label={`Running: ${label}`}>
          <LoaderCircleIcon aria-hidden className="motion-safe:animate-spin" />
          <span className="tabular truncate max-sm:sr-only">{label}</span>
          <span aria-hidden className="tabular sm:hidden">
            {tasks.length}
          </span>
        </Button>
      }
    >
      <TaskList tasks={tasks} onLeave={() => setOpen(false)} />
    </Popover>
  )
}

/**
 * Announces what has ended since the last look at the server, unless this tab follows it itself
 * (`followed`: the ids of what it does).
 */
function useEndedTasks(tasks: readonly Task[] | undefined, followed: readonly string[]) {
  const { email } = useViewer()
  const seen = useRef(new Map<string, Task>())
  const own = useRef(new Set<string>())
  for (const id of followed) own.current.add(id)
  useEffect(() => {
    if (!tasks) return
    const now = new Map(tasks.map((task) => [`${task.kind}-${task.id}`, task]))
    for (const [id, task] of seen.current)
      if (!now.has(id) && !own.current.has(id)) void announceEnd(task, email)
    seen.current = now
  }, [tasks, email])
}

/**
 * Shows how a task of the server ended if `viewer` started it, and refreshes what it changed. Says
 * nothing of what can no longer be read.
 */
async function announceEnd(task: Task, viewer: string): Promise<void> {
  const { kind, id, startedBy } = task
  if (kind === 'export') {
    const { announceExport } = await import('@/components/exports/announce-export')
    return announceExport(id)
  }
  if (kind === 'promotion') {
    const { announcePromotion } = await import('@/components/servers/announce-promotion')
    return announcePromotion(id)
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
