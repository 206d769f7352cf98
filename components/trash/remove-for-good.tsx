'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Trash2Icon } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { useCan } from '@/components/shell/viewer'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { countOf } from '@/components/ui/number'
import type { Right } from '@/lib/auth/rights'
import type { TrashBatch } from '@/lib/trash/contract'
import { batchContent } from './batch-name'
import { emptyTrash, removeBatch, type TrashScope, trashOptions } from './trash-queries'

/** Deletes one deletion for good, after a question; nothing for whoever may not. */
export function RemoveForGood({ batch, onRemoved }: { batch: TrashBatch; onRemoved: () => void }) {
  const right: Right = batch.entity ? { entity: batch.entity, action: 'delete' } : 'plugins:install'
  const mayRemove = useCan(right)
  const [isAsking, setAsking] = useState(false)
  const what = batchContent(batch)
  const removal = useMutation({
    mutationFn: () => removeBatch(batch.batchId),
    onSuccess: () => {
      toast.success(`${what} deleted for good`)
      onRemoved()
    },
  })
  if (!mayRemove) return null
  return (
    <>
      <Button className="mr-auto" onClick={() => setAsking(true)}>
        <Trash2Icon aria-hidden /> Delete for good
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Delete ${what} for good?`}
        description="This can’t be undone."
        confirmLabel="Delete for good"
        busy={removal.isPending}
        error={removal.error?.message}
        onConfirm={() => removal.mutate()}
      />
    </>
  )
}

/** Empties the trash, or that of an entity, after a question; nothing while it is empty. */
export function EmptyTrash({ entity }: TrashScope) {
  const [isAsking, setAsking] = useState(false)
  const scope = entity ? ` of ${entity}` : ''
  const total = useQuery(trashOptions({ page: 1, size: 1 }, entity)).data?.pagination?.total ?? 0
  const emptying = useMutation({
    mutationFn: () => emptyTrash(entity),
    onSuccess: (removed) => {
      toast.success(`${countOf(removed, 'deletion')}${scope} deleted for good`)
      setAsking(false)
    },
  })
  if (total === 0) return null
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <Trash2Icon aria-hidden /> Empty the trash
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Empty the trash${scope}?`}
        description={`What ${countOf(total, 'deletion')} took is deleted for good, on all pages. This can’t be undone.`}
        confirmLabel="Empty the trash"
        busy={emptying.isPending}
        error={emptying.error?.message}
        onConfirm={() => emptying.mutate()}
      />
    </>
  )
}
