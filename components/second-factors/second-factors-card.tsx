import { useQuery, useQueryClient } from '@tanstack/react-query'
import { PencilIcon, Trash2Icon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { AuthForm } from '@/components/auth/auth-form'
import { useOffersPasskeys } from '@/components/auth/passkey-button'
import { Button, IconButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Dialog } from '@/components/ui/dialog'
import { Notice } from '@/components/ui/notice'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { toast } from '@/components/ui/toast'
import { ApiError } from '@/lib/http/client'
import type { Passkey, SecondFactors } from '@/lib/second-factors/contract'
import { factorsOptions, renamePasskey, sessionsOptions } from './factor-queries'
import { FactorRow, LastUse } from './factor-row'
import type { Removal } from './remove-factor'

const FactorDialog = dynamic(() => import('./factor-dialog'), { ssr: false })
const RemoveFactor = dynamic(() => import('./remove-factor'), { ssr: false })
const RenewCodes = dynamic(() => import('./renew-codes'), { ssr: false })

type Step = { add: 'totp' | 'passkey' } | { remove: Removal } | 'renew'

/** The visitor's authenticator app, passkeys and recovery codes. */
export function SecondFactorsCard() {
  const factors = useQuery(factorsOptions)
  const [step, setStep] = useState<Step | null>(null)
  const client = useQueryClient()
  const close = () => setStep(null)
  const done = (text: string) => {
    close()
    toast.success(text)
    void client.invalidateQueries({ queryKey: factorsOptions.queryKey })
    void client.invalidateQueries({ queryKey: sessionsOptions.queryKey })
  }
  return (
    <Card title="Sign-in and security" flush>
      {factors.error ? (
        <ErrorState of={factors} />
      ) : factors.data ? (
        <Factors factors={factors.data} onStep={setStep} />
      ) : (
        <Skeleton className="m-4 h-40 rounded-lg" />
      )}
      {typeof step === 'object' && step && 'add' in step && (
        <FactorDialog
          kind={step.add}
          onClose={close}
          onAdded={() => done(step.add === 'totp' ? 'Authenticator app added' : 'Passkey added')}
        />
      )}
      {typeof step === 'object' && step && 'remove' in step && (
        <RemoveFactor of={step.remove} onClose={close} onRemoved={done} />
      )}
      {step === 'renew' && <RenewCodes onClose={close} onRenewed={done} />}
    </Card>
  )
}

type Props = { factors: SecondFactors; onStep: (step: Step) => void }

function Factors({ factors, onStep }: Props) {
  const { totp, passkeys, recoveryCodesLeft, required } = factors
  const offersPasskeys = useOffersPasskeys()
  const hasFactor = totp !== null || passkeys.length > 0
  return (
    <div className="divide-y">
      {!hasFactor && (
        <p className="px-4 py-3 text-muted-foreground">
          With a second factor, your password alone does not sign anyone in.
        </p>
      )}
      <FactorRow
        title="Authenticator app"
        detail={totp ? <LastUse {...totp} /> : 'Shows a new code of six digits every 30 seconds.'}
      >
        {totp ? (
          <Button size="sm" onClick={() => onStep({ remove: { kind: 'totp' } })}>
            Remove the app
          </Button>
        ) : (
          <Button size="sm" onClick={() => onStep({ add: 'totp' })}>
            Set up
          </Button>
        )}
      </FactorRow>
      <FactorRow
        title="Passkeys"
        detail="Sign in with a fingerprint, a face or a PIN of a device, without your password."
      >
        {offersPasskeys && (
          <Button size="sm" onClick={() => onStep({ add: 'passkey' })}>
            Add a passkey
          </Button>
        )}
      </FactorRow>
      {passkeys.map((passkey) => (
        <PasskeyRow
          key={passkey.id}
          passkey={passkey}
          onRemove={() => onStep({ remove: { kind: 'passkey', ...passkey } })}
        />
      ))}
      {hasFactor && (
        <FactorRow title="Recovery codes" detail={leftWords(recoveryCodesLeft)}>
          <Button size="sm" onClick={() => onStep('renew')}>
            Make new codes
          </Button>
        </FactorRow>
      )}
      {required && (
        <div className="px-4 py-3">
          <Notice>Your role requires a second factor, so the last one can’t be removed.</Notice>
        </div>
      )}
    </div>
  )
}

const leftWords = (left: number): string =>
  left === 0
    ? 'All are used. Make new ones, in case you lose your second factor.'
    : `${left} of 10 are left. Each stands in for a lost second factor once.`

type PasskeyRowProps = { passkey: Passkey; onRemove: () => void }

function PasskeyRow({ passkey, onRemove }: PasskeyRowProps) {
  const { name } = passkey
  const [renames, setRenames] = useState(false)
  return (
    <FactorRow nested title={name} detail={<LastUse {...passkey} />}>
      <IconButton
        icon={PencilIcon}
        label={`Rename the passkey ${name}`}
        onClick={() => setRenames(true)}
      />
      <IconButton icon={Trash2Icon} label={`Remove the passkey ${name}`} onClick={onRemove} />
      {renames && <RenameDialog passkey={passkey} onClose={() => setRenames(false)} />}
    </FactorRow>
  )
}

function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const client = useQueryClient()
  return (
    <Dialog onClose={onClose} title="Rename the passkey" size="sm">
      <AuthForm
        fields={[
          {
            name: 'name',
            label: 'Name',
            type: 'text',
            autoComplete: 'off',
            defaultValue: passkey.name,
          },
        ]}
        button="Rename"
        submit={async ({ name = '' }) => {
          try {
            await renamePasskey(passkey.id, name.trim())
            await client.invalidateQueries({ queryKey: factorsOptions.queryKey })
            onClose()
            return null
          } catch (error) {
            if (!(error instanceof ApiError)) throw error
            return error
          }
        }}
      />
    </Dialog>
  )
}
