import { useMutation } from '@tanstack/react-query'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { removePasskey, removeTotp } from './factor-queries'
import { useConfirmation } from './use-confirmation'

export type Removal = { kind: 'totp' } | { kind: 'passkey'; id: string; name: string }

type Props = { of: Removal; onClose: () => void; onRemoved: (text: string) => void }

/** Asks before a second factor is removed. */
export default function RemoveFactor({ of, onClose, onRemoved }: Props) {
  const { run, dialog } = useConfirmation()
  const removal = useMutation({
    mutationFn: () => run(() => (of.kind === 'totp' ? removeTotp() : removePasskey(of.id))),
    onSuccess: (removed) => removed && onRemoved(`${WORDS[of.kind].removed} removed`),
  })
  return (
    <ConfirmDialog
      onClose={onClose}
      title={
        of.kind === 'totp' ? 'Remove the authenticator app?' : `Remove the passkey “${of.name}”?`
      }
      description={WORDS[of.kind].description}
      confirmLabel={WORDS[of.kind].confirm}
      attempt={removal}
      onConfirm={() => removal.mutate()}
    >
      {dialog}
    </ConfirmDialog>
  )
}

const WORDS = {
  totp: {
    confirm: 'Remove app',
    removed: 'Authenticator app',
    description:
      'Its codes stop working immediately. If it is your last second factor, your password alone signs you in again, and your recovery codes are deleted.',
  },
  passkey: {
    confirm: 'Remove passkey',
    removed: 'Passkey',
    description:
      'It stops working immediately; your device may go on showing it. If it is your last second factor, your password alone signs you in again.',
  },
}
