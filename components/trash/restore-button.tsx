'use client'
import { RotateCcwIcon } from 'lucide-react'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import type { TrashBatch } from '@/lib/trash/contract'
import { batchContent, batchName, restoreRight } from './batch-name'

type Props = { batch: TrashBatch; onPress: (batch: TrashBatch) => void; iconOnly?: boolean }

/** Restores after a confirmation; hidden from users who may not write the records. */
export function RestoreButton({ batch, onPress, iconOnly = false }: Props) {
  const mayRestore = useCan(restoreRight(batch))
  if (!mayRestore) return null
  const isPlugin = batch.kind === 'plugin'
  const label = `Restore ${isPlugin ? batchName(batch) : batchContent(batch)}`
  return (
    <Button
      variant={iconOnly ? 'ghost' : 'primary'}
      size={iconOnly ? 'icon-sm' : 'md'}
      aria-label={iconOnly && !isPlugin ? `${label} of ${batch.entity}` : label}
      title={iconOnly ? label : undefined}
      onClick={() => onPress(batch)}
    >
      <RotateCcwIcon aria-hidden />
      {!iconOnly && label}
    </Button>
  )
}
