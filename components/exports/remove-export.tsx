'use client'
import { useMutation } from '@tanstack/react-query'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import type { BackgroundExport } from '@/lib/export/contract'
import { removeExport } from './export-queries'

type Props = { of: BackgroundExport; onClose: () => void }

/** Asks before an export is deleted with its file. */
export function RemoveExport({ of: { id, fileName }, onClose }: Props) {
  const removal = useMutation({ mutationFn: () => removeExport(id), onSuccess: onClose })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${fileName}?`}
      description="The file is deleted for good. The records stay as they are, and you can export them again."
      confirmLabel="Delete the file"
      busy={removal.isPending}
      error={removal.error?.message}
      onConfirm={() => removal.mutate()}
    />
  )
}
