import { useMutation } from '@tanstack/react-query'
import { useCan } from '@/components/shell/viewer'
import { cancelInstall } from '@/components/tasks/server-tasks'
import { Button } from '@/components/ui/button'
import type { History } from './searches'

type Props = Pick<History, 'id' | 'mode' | 'pluginName' | 'source'>

/** Stops an install that runs, for those who may install; says what stays. */
export function CancelInstall({ id, mode, pluginName, source }: Props) {
  const stop = useMutation({ mutationFn: () => cancelInstall(id) })
  if (!useCan('plugins:install')) return null
  return (
    <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2 text-xs text-muted-foreground">
      {stop.error ? (
        <span role="alert" className="text-destructive">
          {stop.error.message}
        </span>
      ) : (
        mode === 'partial' && 'Files that are installed already stay.'
      )}
      <Button
        size="sm"
        busy={stop.isPending || stop.isSuccess}
        aria-label={`Cancel the install of ${pluginName ?? source}`}
        onClick={() => stop.mutate()}
      >
        Cancel
      </Button>
    </div>
  )
}
