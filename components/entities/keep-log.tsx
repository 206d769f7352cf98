import { useQuery } from '@tanstack/react-query'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast'
import { usePlannedEdit } from './edited-plugin'
import { entitiesOptions } from './entity-queries'

const WORDS = {
  history: { on: 'Keep history', off: 'Stop keeping history' },
  events: { on: 'Turn events on', off: 'Turn events off' },
} as const

type Props = { entity: string; log: keyof typeof WORDS }

/** Plans a version of the entity's plugin in which a log of its records is turned on or off; nothing for those who may not. */
export function KeepLog({ entity, log }: Props) {
  const found = useQuery(entitiesOptions).data?.data.find(({ name }) => name === entity)
  const mayEdit = useCan('plugins:install')
  const plan = usePlannedEdit(found?.pluginId ?? '')
  if (!mayEdit || !found?.pluginId) return null
  const enabled = !found[log]
  return (
    <Button
      size="sm"
      busy={plan.isPending}
      title="Shows the plan of the change first"
      onClick={() =>
        plan.mutate(
          { type: `keep-${log}`, entity, enabled },
          { onError: ({ message }) => toast.error(message) },
        )
      }
    >
      {enabled ? WORDS[log].on : WORDS[log].off}
    </Button>
  )
}
