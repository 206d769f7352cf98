'use client'
import { LoaderCircleIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { Popover } from '@/components/ui/popover'
import { useLocalTasks } from './local-tasks'
import { toShown, useServerTasks } from './server-tasks'
import { chipLabel, mergeTasks } from './shown-task'
import { useEndedTasks } from './use-ended-tasks'

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
  if (tasks.length === 0) return null
  const label = chipLabel(tasks)
  return (
    <Popover
      title="Running"
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
      <TaskList tasks={tasks} />
    </Popover>
  )
}
