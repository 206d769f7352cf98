import { toast } from 'sonner'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import type { ApiKey, NewApiKey } from '@/lib/api-keys/contract'
import { revokeKey, rotateKey, useKeyMutation } from './key-mutations'

type Props = { apiKey: ApiKey; onClose: () => void }

/** Asks before a key is revoked permanently. */
export function ConfirmRevoke({ apiKey, onClose }: Props) {
  const revocation = useKeyMutation(revokeKey)
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Revoke “${apiKey.name}”?`}
      description="Requests with this key are refused immediately. This can’t be undone."
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
  const rotation = useKeyMutation(rotateKey)
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Rotate “${apiKey.name}”?`}
      description="A new key with the same rights replaces it. The old key stops working immediately."
      confirmLabel="Rotate key"
      tone="primary"
      busy={rotation.isPending}
      error={rotation.error?.message}
      onConfirm={() => rotation.mutate(apiKey, { onSuccess: onRotated })}
    />
  )
}
