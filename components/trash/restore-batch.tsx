'use client'
import { useMutation } from '@tanstack/react-query'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import type { TrashBatch } from '@/lib/trash/contract'
import { announceRestoration } from './announce-restoration'
import { batchContent, batchName } from './batch-name'
import { type Restoration, restoreBatch } from './trash-queries'

type Props = {
  batch: TrashBatch
  onClose: () => void
  onRestored: (result: Restoration) => void
}

/** Asks before deleted records are restored, and shows how many were. */
export function RestoreBatch({ batch, onClose, onRestored }: Props) {
  const { batchId, kind } = batch
  const what = batchContent(batch)
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
      title={kind === 'plugin' ? `Restore ${what}?` : `Restore ${what} of ${batch.entity}?`}
      description={DESCRIPTIONS[kind]}
      confirmLabel={kind === 'plugin' ? `Restore ${batchName(batch)}` : `Restore ${what}`}
      busy={restoration.isPending}
      error={restoration.error?.message}
      onConfirm={() => restoration.mutate()}
    />
  )
}

const DESCRIPTIONS: Record<TrashBatch['kind'], string> = {
  records:
    'Records are restored with their keys. Those whose key is in use again, or that no longer fit, stay in the trash.',
  edit: 'The edited fields get the values back that they had before. Records that were changed or deleted since stay as they are.',
  plugin:
    'It comes back as it was, with its tables, definitions, roles and policies, or not at all: when something of the same name exists again, everything stays in the trash.',
}
