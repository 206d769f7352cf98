import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCcwIcon, SaveIcon } from 'lucide-react'
import { toViewText } from '@/components/data-table/list-params'
import { useCan } from '@/components/shell/viewer'
import { MenuItem, MenuSeparator } from '@/components/ui/menu'
import { toast } from '@/components/ui/toast'
import { messageOf } from '@/lib/errors'
import { api } from '@/lib/http/client'
import type { SavedView } from '@/lib/views/contract'
import { paramsOf, type View, viewsOptions } from './view-queries'

type ChangedProps = Pick<View, 'entity' | 'list'> & { view: SavedView }

/** What can be done with a view that is shown with changes. */
export default function ChangedView({ entity, list, view }: ChangedProps) {
  const client = useQueryClient()
  const [mayManage, mayPublish] = [useCan('users:manage'), useCan('views:publish')]
  const mayUpdate = (mayManage || view.mine) && (mayPublish || view.visibility === 'private')
  const update = useMutation({
    mutationFn: () =>
      api(`/api/views/${view.id}`, { method: 'PATCH', body: { params: toViewText(list) } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: viewsOptions(entity).queryKey })
      toast.success(`View “${view.name}” is updated`)
    },
    onError: (error) => toast.error(messageOf(error)),
  })
  return (
    <>
      {mayUpdate && (
        <MenuItem onClick={() => update.mutate()}>
          <SaveIcon aria-hidden /> <span className="truncate">Update “{view.name}”</span>
        </MenuItem>
      )}
      <MenuItem onClick={() => list.replace(paramsOf(view))}>
        <RotateCcwIcon aria-hidden /> <span className="truncate">Reset to “{view.name}”</span>
      </MenuItem>
      <MenuSeparator />
    </>
  )
}
