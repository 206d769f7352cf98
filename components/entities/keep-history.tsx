import { useQuery } from '@tanstack/react-query'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast'
import { usePlannedEdit } from './edited-plugin'
import { entitiesOptions } from './entity-queries'

/** Plans a version of the entity's plugin in which the history of its records is turned on or off; nothing for those who may not. */
export function KeepHistory({ entity }: { entity: string }) {
  const found = useQuery(entitiesOptions).data?.data.find(({ name }) => name === entity)
  const mayEdit = useCan('plugins:install')
  const plan = usePlannedEdit(found?.pluginId ?? '')
  if (!mayEdit || !found?.pluginId) return null
  const enabled = !found.history
  return (
    <Button
      size="sm"
      busy={plan.isPending}
      title="Shows the plan of the change first"
      onClick={() =>
        plan.mutate(
          { type: 'keep-history', entity, enabled },
          { onError: ({ message }) => toast.error(message) },
        )
      }
    >
      {enabled ? 'Keep history' : 'Stop keeping history'}
    </Button>
  )
}
