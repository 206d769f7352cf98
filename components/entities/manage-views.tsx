import { useMutation, useQueryClient } from '@tanstack/react-query'
import { PencilIcon, StarIcon, Trash2Icon } from 'lucide-react'
import { rememberList, useListMemory } from '@/components/data-table/list-memory'
import { useCan } from '@/components/shell/viewer'
import { Button, IconButton } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { EmptyState } from '@/components/ui/state'
import { toast } from '@/components/ui/toast'
import { messageOf } from '@/lib/errors'
import { api } from '@/lib/http/client'
import type { SavedView } from '@/lib/views/contract'
import { viewsOptions } from './view-queries'

type Props = {
  entity: string
  views: readonly SavedView[]
  onEdit: (view: SavedView) => void
  onClose: () => void
}
type Change = { id: string; method: 'PATCH' | 'DELETE'; body?: { defaultForMe: boolean } }

/** Who sees saved views and for whom they are the default; edits and deletes them. */
export default function ManageViews({ entity, views, onEdit, onClose }: Props) {
  const client = useQueryClient()
  const memory = useListMemory()
  const mayAll = useCan('users:manage')
  const change = useMutation({
    mutationFn: ({ id, ...request }: Change) => api(`/api/views/${id}`, request),
    // Else the entity would go on opening as it was left.
    onSuccess: (_, { body }) => body?.defaultForMe && memory && rememberList(memory, ''),
    onSettled: () => client.invalidateQueries({ queryKey: viewsOptions(entity).queryKey }),
    onError: (error) => toast.error(messageOf(error)),
  })
  return (
    <Dialog onClose={onClose} title={`Views of ${entity}`}>
      {views.length === 0 && <EmptyState title="No saved views" className="py-6" />}
      <ul className="divide-y">
        {views.map((view) => {
          const { id, name, mine, defaultForMe } = view
          return (
            <li key={id} className="flex min-h-12 items-center gap-1 py-1">
              <div className="grid min-w-0 flex-1">
                <span className="truncate">{name}</span>
                <span className="truncate text-xs text-muted-foreground">{audienceText(view)}</span>
              </div>
              <Button
                variant="ghost"
                size="icon-sm"
                aria-label={`Default for me: ${name}`}
                aria-pressed={defaultForMe}
                onClick={() =>
                  change.mutate({ id, method: 'PATCH', body: { defaultForMe: !defaultForMe } })
                }
              >
                <StarIcon aria-hidden className={defaultForMe ? 'fill-current text-primary' : ''} />
              </Button>
              {(mine || mayAll) && (
                <>
                  <IconButton
                    icon={PencilIcon}
                    label={`Edit the view ${name}`}
                    onClick={() => onEdit(view)}
                  />
                  <IconButton
                    icon={Trash2Icon}
                    label={`Delete the view ${name}`}
                    onClick={() => change.mutate({ id, method: 'DELETE' })}
                  />
                </>
              )}
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}

const AUDIENCE = { private: 'Only you', everyone: 'Everyone' } as const

function audienceText({ visibility, role, mine, defaultForMe, defaultForRoles }: SavedView) {
  const seen = visibility === 'role' ? `Role ${role}` : AUDIENCE[visibility]
  const holders = [...(defaultForMe ? ['you'] : []), ...defaultForRoles]
  return [
    mine || visibility === 'private' ? seen : `${seen}, by somebody else`,
    holders.length > 0 && `default for ${holders.join(', ')}`,
  ]
    .filter(Boolean)
    .join(' · ')
}
