'use client'
import { RotateCcwIcon } from 'lucide-react'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { countOf } from '@/components/ui/number'
import type { TrashBatch } from '@/lib/trash/contract'

type Props = { batch: TrashBatch; onPress: (batch: TrashBatch) => void; iconOnly?: boolean }

/** Restores after a confirmation; hidden from users who may not write the records. */
export function RestoreButton({ batch, onPress, iconOnly = false }: Props) {
  const mayWrite = useCan({ entity: batch.entity, action: 'write' })
  if (!mayWrite) return null
  const label = `Restore ${countOf(batch.count, 'record')}`
  return (
    <Button
      variant={iconOnly ? 'ghost' : 'primary'}
      size={iconOnly ? 'icon-sm' : 'md'}
      aria-label={iconOnly ? `${label} of ${batch.entity}` : undefined}
      title={iconOnly ? label : undefined}
      onClick={() => onPress(batch)}
    >
      <RotateCcwIcon aria-hidden />
      {!iconOnly && label}
    </Button>
  )
}
