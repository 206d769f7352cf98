import { useEffect, useRef } from 'react'
import { useViewer } from '@/components/shell/viewer'
import type { Task } from '@/lib/tasks/contract'
import { announceEnd } from './announce-end'

/**
 * Announces what has ended since the last look at the server, unless this tab follows it itself
 * (`followed`: the ids of what it does).
 */
export function useEndedTasks(tasks: readonly Task[] | undefined, followed: readonly string[]) {
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
