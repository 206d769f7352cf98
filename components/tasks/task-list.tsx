import { useMutation } from '@tanstack/react-query'
import { Button } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Progress } from '@/components/ui/progress'
import type { ShownTask } from './shown-task'

type Props = { tasks: readonly ShownTask[]; onLeave: () => void }

/** Every running task with its progress, a link to its page, and a way to stop it. `onLeave`: such a link was followed. */
export default function TaskList({ tasks, onLeave }: Props) {
  return (
    <ul aria-label="Running" className="grid gap-4">
      {tasks.map((task) => (
        <Entry key={task.id} task={task} onLeave={onLeave} />
      ))}
    </ul>
  )
}

function Entry({ task, onLeave }: { task: ShownTask; onLeave: () => void }) {
  const { title, done, total, progress, by, errors, href, cancel } = task
  const stop = useMutation({ mutationFn: async () => cancel?.() })
  return (
    <li className="grid gap-1.5">
      <Progress
        label={title}
        value={total ? Math.min(done, total) : null}
        max={total || 1}
        text={progress}
      />
      <div className="flex items-center gap-2 text-xs text-muted-foreground">
        <span className="min-w-0 flex-1 truncate">
          {by ? `Started by ${by}` : 'In this tab'}
          {errors && <span className="text-destructive"> · {errors}</span>}
        </span>
        <Link
          href={href}
          onClick={onLeave}
          className="rounded text-foreground underline underline-offset-2"
        >
          Open
        </Link>
        {cancel && (
          <Button
            size="sm"
            busy={stop.isPending}
            aria-label={`Cancel: ${title}`}
            onClick={() => stop.mutate()}
          >
            Cancel
          </Button>
        )}
      </div>
      {stop.error && (
        <p role="alert" className="text-xs text-destructive">
          {stop.error.message}
        </p>
      )}
    </li>
  )
}
