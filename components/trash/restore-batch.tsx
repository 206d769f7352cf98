'use client'
import { useMutation } from '@tanstack/react-query'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { countOf } from '@/components/ui/number'
import type { TrashBatch } from '@/lib/trash/contract'
import { announceRestoration } from './announce-restoration'
import { type Restoration, restoreBatch } from './trash-queries'

type Props = {
  batch: TrashBatch
  onClose: () => void
  onRestored: (result: Restoration) => void
}

/** Asks before deleted records are restored, and shows how many were. */
export function RestoreBatch({ batch, onClose, onRestored }: Props) {
  const { batchId, entity, count } = batch
  const restoration = useMutation({
    mutationFn: () => restoreBatch(batchId),
    onSuccess: (result) => {
      announceRestoration(batch, result)
      onRestored(result)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      tone="primary"
      title={`Restore ${countOf(count, 'record')} of ${entity}?`}
      description="Records are restored with their keys. Those whose key is in use again, or that no longer fit, stay in the trash."
      confirmLabel={`Restore ${countOf(count, 'record')}`}
      busy={restoration.isPending}
      error={restoration.error?.message}
      onConfirm={() => restoration.mutate()}
    />
  )
}
