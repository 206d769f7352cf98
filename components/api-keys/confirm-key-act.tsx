import { toast } from 'sonner'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import type { ApiKey, NewApiKey } from '@/lib/api-keys/contract'
import { revokeKey, rotateKey, useKeyAct } from './key-acts'

type Props = { apiKey: ApiKey; onClose: () => void }

/** Asks before a key stops working for good. */
export function ConfirmRevoke({ apiKey, onClose }: Props) {
  const revocation = useKeyAct(revokeKey)
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Revoke “${apiKey.name}”?`}
      description="Calls with this key are refused from now on. It can’t be brought back."
      confirmLabel="Revoke key"
      busy={revocation.isPending}
      error={revocation.error?.message}
      onConfirm={() =>
        revocation.mutate(apiKey, {
          onSuccess: () => {
            toast.success(`“${apiKey.name}” is revoked`)
            onClose()
          },
        })
      }
    />
  )
}

/** Asks before a key is replaced by a new one with the same name and rights. */
export function ConfirmRotate({
  apiKey,
  onClose,
  onRotated,
}: Props & { onRotated: (key: NewApiKey) => void }) {
  const rotation = useKeyAct(rotateKey)
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Rotate “${apiKey.name}”?`}
      description="A new key with the same rights takes its place. The old one stops working at once."
      confirmLabel="Rotate key"
      tone="primary"
      busy={rotation.isPending}
      error={rotation.error?.message}
      onConfirm={() => rotation.mutate(apiKey, { onSuccess: onRotated })}
    />
  )
}
