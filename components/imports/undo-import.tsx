import { useMutation } from '@tanstack/react-query'
import { Undo2Icon } from 'lucide-react'
import { undoBatch } from '@/components/trash/announce-restoration'
import { Button, IconButton } from '@/components/ui/button'
import type { Import } from '@/lib/import/contract'

type Props = {
  of: Pick<Import, 'batchId' | 'entity' | 'fileName'>
  iconOnly?: boolean
  onUndone?: () => void
}

/** Removes what an import created and gives back what it replaced; nothing where that is not kept. */
export function UndoImport({ of: { batchId, entity, fileName }, iconOnly, onUndone }: Props) {
  const undoing = useMutation({
    mutationFn: () => undoBatch({ kind: 'import', entity }, batchId ?? ''),
    onSuccess: () => onUndone?.(),
  })
  if (batchId === null) return null
  const label = `Undo the import of ${fileName}`
  const start = () => undoing.mutate()
  if (iconOnly)
    return (
      <IconButton
        icon={Undo2Icon}
        busy={undoing.isPending}
        label={label}
        title="Undo the import"
        onClick={start}
      />
    )
  return (
    <Button busy={undoing.isPending} onClick={start}>
      <Undo2Icon aria-hidden /> Undo the import
    </Button>
  )
}
