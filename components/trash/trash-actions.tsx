import { useMutation, useQuery } from '@tanstack/react-query'
import { RotateCcwIcon, Trash2Icon } from 'lucide-react'
import { useState } from 'react'
import { useCan } from '@/components/shell/viewer'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { countOf } from '@/components/ui/number'
import { toast } from '@/components/ui/toast'
import type { Right } from '@/lib/auth/rights'
import type { TrashBatch } from '@/lib/trash/contract'
import { announceRestoration } from './announce-restoration'
import { batchContent, batchName, restoreRight } from './batch-name'
import {
  emptyTrash,
  type Restoration,
  removeBatch,
  restoreBatch,
  type TrashScope,
  trashOptions,
} from './trash-queries'

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
      onClose={onClose}
      tone="primary"
      title={batch.entity === null ? `Restore ${what}?` : `Restore ${what} of ${batch.entity}?`}
      description={DESCRIPTIONS[kind]}
      confirmLabel={batch.entity === null ? `Restore ${batchName(batch)}` : `Restore ${what}`}
      attempt={restoration}
      onConfirm={() => restoration.mutate()}
    />
  )
}

const DESCRIPTIONS: Record<TrashBatch['kind'], string> = {
  records:
    'Records are restored with their keys. Those whose key is in use again, or that no longer fit, stay in Recently changed.',
  import:
    'Records that the file created are removed, and those that it changed get their former values back. Records that were changed since stay as they are.',
  edit: 'The edited fields get the values back that they had before. Records that were changed or deleted since stay as they are.',
  policy: 'It becomes as it was before the change, unless it was changed since.',
  role: 'It becomes as it was before the change, with the users, keys and policies that had it; those that were changed since stay as they are.',
  plugin:
    'It comes back as it was, with its tables, definitions, roles and policies, or not at all: when something of the same name exists again, everything stays in Recently changed.',
}

type RestoreButtonProps = {
  batch: TrashBatch
  onPress: (batch: TrashBatch) => void
  iconOnly?: boolean
}

/** Restores after a confirmation; hidden from users who may not write the records. */
export function RestoreButton({ batch, onPress, iconOnly = false }: RestoreButtonProps) {
  const mayRestore = useCan(restoreRight(batch))
  if (!mayRestore) return null
  const isWhole = batch.entity === null
  const label = `Restore ${isWhole ? batchName(batch) : batchContent(batch)}`
  return (
    <Button
      variant={iconOnly ? 'ghost' : 'primary'}
      size={iconOnly ? 'icon-sm' : 'md'}
      aria-label={iconOnly && !isWhole ? `${label} of ${batch.entity}` : label}
      title={iconOnly ? label : undefined}
      onClick={() => onPress(batch)}
    >
      <RotateCcwIcon aria-hidden />
      {!iconOnly && label}
    </Button>
  )
}

/** Deletes one deletion for good, after a question; nothing for whoever may not. */
export function RemoveForGood({ batch, onRemoved }: { batch: TrashBatch; onRemoved: () => void }) {
  const right: Right = batch.entity
    ? { entity: batch.entity, action: 'delete' }
    : restoreRight(batch)
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
      {isAsking && (
        <ConfirmDialog
          onClose={() => setAsking(false)}
          title={`Delete ${what} for good?`}
          description="This can’t be undone."
          confirmLabel="Delete for good"
          attempt={removal}
          onConfirm={() => removal.mutate()}
        />
      )}
    </>
  )
}

/** Deletes all that can be undone for good, or that of an entity, after a question; nothing while there is nothing. */
export function EmptyTrash({ entity }: TrashScope) {
  const [isAsking, setAsking] = useState(false)
  const scope = entity ? ` of ${entity}` : ''
  const total = useQuery(trashOptions({ page: 1, size: 1 }, entity)).data?.pagination?.total ?? 0
  const emptying = useMutation({
    mutationFn: () => emptyTrash(entity),
    onSuccess: (removed) => {
      toast.success(`${countOf(removed, 'change')}${scope} deleted for good`)
      setAsking(false)
    },
  })
  if (total === 0) return null
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <Trash2Icon aria-hidden /> Delete all for good
      </Button>
      {isAsking && (
        <ConfirmDialog
          onClose={() => setAsking(false)}
          title={`Delete all changes${scope} for good?`}
          description={`${countOf(total, 'change')} on all pages can then no longer be undone. Deleted records are gone; edited and imported ones stay as they are.`}
          confirmLabel="Delete all for good"
          attempt={emptying}
          onConfirm={() => emptying.mutate()}
        />
      )}
    </>
  )
}
