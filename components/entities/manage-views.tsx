'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Trash2Icon } from 'lucide-react'
import { toast } from 'sonner'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { EmptyState } from '@/components/ui/state'
import { Switch } from '@/components/ui/switch'
import { messageOf } from '@/lib/errors'
import { api } from '@/lib/http/client'
import type { SavedView } from '@/lib/views/contract'
import { viewsOptions } from './view-queries'

type Props = { entity: string; views: readonly SavedView[]; onClose: () => void }
type Change = { id: string; method: 'PATCH' | 'DELETE'; body?: { shared: boolean } }

/** Shares, unshares and deletes saved views. */
export default function ManageViews({ entity, views, onClose }: Props) {
  const client = useQueryClient()
  const mayAll = useCan('users:manage')
  const change = useMutation({
    mutationFn: ({ id, ...request }: Change) => api(`/api/views/${id}`, request),
    onSettled: () => client.invalidateQueries({ queryKey: viewsOptions(entity).queryKey }),
    onError: (error) => toast.error(messageOf(error)),
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`Views of ${entity}`}>
      {views.length === 0 && <EmptyState title="No saved views" className="py-6" />}
      <ul className="divide-y">
        {views.map(({ id, name, mine, shared }) => (
          <li key={id} className="flex min-h-11 items-center gap-3">
            <span className="min-w-0 flex-1 truncate">{name}</span>
            {mine ? (
              // biome-ignore lint/a11y/noLabelWithoutControl: the switch renders its own input inside
              <label className="flex items-center gap-2 text-[13px] text-muted-foreground">
                Everyone
                <Switch
                  checked={shared}
                  onCheckedChange={(on) =>
                    change.mutate({ id, method: 'PATCH', body: { shared: on } })
                  }
                />
              </label>
            ) : (
              <span className="text-[13px] text-muted-foreground">Shared with you</span>
            )}
            {(mine || mayAll) && (
              <Button
                variant="ghost"
                size="icon-sm"
                aria-label={`Delete the view ${name}`}
                onClick={() => change.mutate({ id, method: 'DELETE' })}
              >
                <Trash2Icon aria-hidden />
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
