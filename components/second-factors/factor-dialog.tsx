import {
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { renderSVG } from 'uqr'
import { AuthForm, type Field } from '@/components/auth/auth-form'
import { passkeyWords } from '@/components/auth/passkey-words'
import { CopyButton } from '@/components/ui/copy-button'
import { Dialog } from '@/components/ui/dialog'
import type { FormError } from '@/components/ui/form'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { ApiError } from '@/lib/http/client'
import type { TotpSetup as Setup } from '@/lib/second-factors/contract'
import { addPasskey, beginTotp, finishTotp, offerPasskey } from './factor-queries'
import { RecoveryCodes } from './recovery-codes'
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
      stays={codes !== null}
      onClose={() => (codes ? onAdded() : onClose())}
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

type PasskeySetupProps = {
  run: <T>(change: () => Promise<T>) => Promise<T | null>
  onAdded: (codes: string[] | null) => void
}

/** Asks for a name, and lets the browser make a passkey. */
function PasskeySetup({ run, onAdded }: PasskeySetupProps) {
  async function add(name: string): Promise<FormError | null> {
    try {
      const offered = await run(offerPasskey)
      if (!offered) return null
      const optionsJSON = offered.options as PublicKeyCredentialCreationOptionsJSON
      const response = await startRegistration({ optionsJSON })
      const { challengeId } = offered
      onAdded((await addPasskey({ challengeId, name, response })).recoveryCodes)
      return null
    } catch (error) {
      return error instanceof ApiError ? error : { message: passkeyWords(error) }
    }
  }
  return (
    <div className="grid gap-4">
      <p>
        A passkey is kept by this device, a password manager or a security key. It signs you in
        without a password, too.
      </p>
      <AuthForm
        fields={[
          {
            name: 'name',
            label: 'Name',
            type: 'text',
            autoComplete: 'off',
            hint: 'Where the passkey is, such as “Work laptop”.',
          },
        ]}
        button="Add passkey"
        submit={({ name = '' }) => add(name.trim())}
      />
    </div>
  )
}

type TotpSetupProps = {
  run: <T>(change: () => Promise<T>) => Promise<T | null>
  onAdded: (codes: string[] | null) => void
  onDeclined: () => void
}

/** Shows the secret for an authenticator app, and takes its first code. */
function TotpSetup({ run, onAdded, onDeclined }: TotpSetupProps) {
  const setup = useQuery({
    queryKey: ['totp-setup'],
    queryFn: async () => {
      const started = await run(beginTotp)
      if (!started) onDeclined()
      return started
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (setup.error) return <ErrorState of={setup} />
  if (!setup.data) return <Skeleton className="h-72 rounded-lg" />
  return <StartedSetup setup={setup.data} run={run} onAdded={onAdded} />
}

const CODE: Field = {
  name: 'code',
  label: 'Code',
  type: 'text',
  inputMode: 'numeric',
  autoComplete: 'one-time-code',
  hint: 'The six digits that the app shows now.',
}

function StartedSetup({
  setup,
  run,
  onAdded,
}: Omit<TotpSetupProps, 'onDeclined'> & { setup: Setup }) {
  const { setupId, secret, uri } = setup
  return (
    <div className="grid gap-4">
      <p>Scan this picture with an authenticator app, or enter the secret there by hand.</p>
      <QrCode uri={uri} />
      <div className="flex items-center gap-2">
        <code className="min-w-0 rounded bg-muted px-2 py-1 text-[13px] break-all">{secret}</code>
        <CopyButton text={secret} label="Copy the secret" />
      </div>
      <AuthForm
        fields={[CODE]}
        button="Add authenticator app"
        submit={async ({ code = '' }) => {
          try {
            const added = await run(() => finishTotp({ setupId, code }))
            if (added) onAdded(added.recoveryCodes)
            return null
          } catch (error) {
            if (!(error instanceof ApiError)) throw error
            return error
          }
        }}
      />
    </div>
  )
}

/** Black on white in both themes: not all apps read others. */
function QrCode({ uri }: { uri: string }) {
  const source = useMemo(() => `data:image/svg+xml,${encodeURIComponent(renderSVG(uri))}`, [uri])
  return (
    // biome-ignore lint/performance/noImgElement: made here, nothing to optimise
    <img
      src={source}
      alt="QR code of the secret for an authenticator app"
      className="size-48 justify-self-center rounded-lg border bg-white p-2"
    />
  )
}
