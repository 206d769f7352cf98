import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { countOf } from '@/components/ui/number'
import type { Drift } from '@/lib/plugins/drift-contract'

type Props = {
  records: readonly Drift[]
  busy: boolean
  error: string | undefined
  onConfirm: () => void
  onClose: () => void
}

/** Edits are lost for good, so it asks. */
export function RevertDrift({ records, onClose, ...props }: Props) {
  const number = (change: Drift['change']) => records.filter((one) => one.change === change).length
  const [edited, deleted, added] = [number('edited'), number('deleted'), number('added')]
  const effects = [
    edited > 0 && `${countOf(edited, 'record loses its edits', 'records lose their edits')}.`,
    deleted > 0 && `${countOf(deleted, 'deleted record is', 'deleted records are')} created again.`,
    added > 0 && `${countOf(added, 'added record goes', 'added records go')} to the trash.`,
  ]
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Take the plugin’s version of ${countOf(records.length, 'record')}?`}
      description={effects.filter(Boolean).join(' ')}
      confirmLabel="Take the plugin’s"
      {...props}
    />
  )
}
