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
      <Dialog stays onClose={done} title="Recovery codes">
        <RecoveryCodes codes={renewal.data} onStored={done} />
      </Dialog>
    )
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Make new recovery codes?"
      description="The codes that you have stop working immediately."
      confirmLabel="Make new codes"
      tone="primary"
      attempt={renewal}
      onConfirm={() => renewal.mutate()}
    >
      {dialog}
    </ConfirmDialog>
  )
}
