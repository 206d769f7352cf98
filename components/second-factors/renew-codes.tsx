'use client'
import { useMutation } from '@tanstack/react-query'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Dialog } from '@/components/ui/dialog'
import { renewRecoveryCodes } from './factor-queries'
import { RecoveryCodes } from './recovery-codes'
import { useConfirmation } from './use-confirmation'

type Props = { onClose: () => void; onRenewed: (text: string) => void }

/** Asks, then shows ten new recovery codes. */
export default function RenewCodes({ onClose, onRenewed }: Props) {
  const { run, dialog } = useConfirmation()
  const renewal = useMutation({ mutationFn: () => run(renewRecoveryCodes) })
  const done = () => onRenewed('New recovery codes made')
  if (renewal.data)
    return (
      <Dialog open stays onOpenChange={(open) => !open && done()} title="Recovery codes">
        <RecoveryCodes codes={renewal.data} onStored={done} />
      </Dialog>
    )
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Make new recovery codes?"
      description="The codes that you have stop working immediately."
      confirmLabel="Make new codes"
      tone="primary"
      busy={renewal.isPending}
      error={renewal.error?.message}
      onConfirm={() => renewal.mutate()}
    >
      {dialog}
    </ConfirmDialog>
  )
}
