import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AuthForm, type Field, PASSWORD } from '@/components/auth/auth-form'
import { PasskeyButton } from '@/components/auth/passkey-button'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import type { FormError } from '@/components/ui/form'
import { ApiError } from '@/lib/http/client'
import { confirmIdentity, factorsOptions } from './factor-queries'

const CODE: Field = {
  name: 'code',
  label: 'Code of your authenticator app',
  type: 'text',
  inputMode: 'numeric',
  autoComplete: 'one-time-code',
}

type Props = {
  onAnswer: (confirmed: boolean) => void
  /** What the user can do then: `change second factors`. */
  then: string
  /** A password is not enough. */
  byFactor?: boolean
}

/** Asks for the password, a code or a passkey before something dangerous. */
export default function ConfirmIdentity({ onAnswer, then, byFactor = false }: Props) {
  const { data } = useQuery(factorsOptions)
  const [byCode, setByCode] = useState(byFactor)

  const hasPasskeys = (data?.passkeys.length ?? 0) > 0

  async function send(proof: object): Promise<FormError | null> {
    try {
      await confirmIdentity(proof)
      onAnswer(true)
      return null
    } catch (error) {
      if (error instanceof ApiError) return error
      throw error
    }
  }

  return (
    <Dialog
      onClose={() => onAnswer(false)}
      title="Confirm that it is you"
      description={`Then you can ${then} for 10 minutes.`}
      size="sm"
    >
      {/* What is sent here must not reach a form around the dialog. */}
      <div className="grid gap-3" onSubmit={(event) => event.stopPropagation()}>
        {(!byFactor || data?.totp) && (
          <AuthForm
            key={String(byCode)}
            fields={[byCode ? CODE : PASSWORD]}
            button="Confirm"
            submit={({ code = '', password = '' }) => send(byCode ? { code } : { password })}
          />
        )}
        {byFactor && data && !data.totp && !hasPasskeys && (
          <p>A password is not enough for this. Set up a second factor in your account first.</p>
        )}
        {hasPasskeys && (
          <PasskeyButton send={({ passkey = '' }) => send({ passkey: JSON.parse(passkey) })} />
        )}
        {data?.totp && !byFactor && (
          <Button size="sm" variant="ghost" onClick={() => setByCode(!byCode)}>
            {byCode ? 'Use your password' : 'Use your authenticator app'}
          </Button>
        )}
      </div>
    </Dialog>
  )
}
