'use client'
import { useState } from 'react'
import { Dialog } from '@/components/ui/dialog'
import PasskeySetup from './passkey-setup'
import { RecoveryCodes } from './recovery-codes'
import TotpSetup from './totp-setup'
import { useConfirmation } from './use-confirmation'

type Props = {
  kind: 'totp' | 'passkey'
  /** After it was added, and the codes that came with it were stored. */
  onAdded: () => void
  onClose: () => void
}

const TITLES = { totp: 'Add an authenticator app', passkey: 'Add a passkey' }

/** Adds a second factor; the recovery codes of the first one follow. */
export default function FactorDialog({ kind, onAdded, onClose }: Props) {
  const [codes, setCodes] = useState<string[] | null>(null)
  const { run, dialog } = useConfirmation()
  const take = (made: string[] | null) => (made ? setCodes(made) : onAdded())
  return (
    <Dialog
      open
      stays={codes !== null}
      onOpenChange={(open) => !open && (codes ? onAdded() : onClose())}
      title={codes ? 'Recovery codes' : TITLES[kind]}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onStored={onAdded} />
      ) : kind === 'totp' ? (
        <TotpSetup run={run} onAdded={take} onDeclined={onClose} />
      ) : (
        <PasskeySetup run={run} onAdded={take} />
      )}
      {dialog}
    </Dialog>
  )
}
