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

/** Asks before deleted records come back, and says how many did. */
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
      description="They come back as they were, with their keys. Records whose keys are taken by now, or that do not fit for another reason, stay in the trash."
      confirmLabel={`Restore ${countOf(count, 'record')}`}
      busy={restoration.isPending}
      error={restoration.error?.message}
      onConfirm={() => restoration.mutate()}
    />
  )
}
