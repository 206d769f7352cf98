import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { type SecondStep, type SignInRefusal, signIn } from './auth-api'
import { AuthForm, EMAIL, type Field, PASSWORD } from './auth-form'
import { PasskeyButton } from './passkey-button'

type Props = {
  /** Filled in. */
  email?: string
  onSignedIn: () => Promise<void>
}

/** Email and password, then the second factor of users who have one; or a passkey alone. */
export function SignInSteps({ email, onSignedIn }: Props) {
  const [step, setStep] = useState<SecondStep | null>(null)
  /** Why a second step led back here. */
  const [expired, setExpired] = useState<SignInRefusal | null>(null)

  async function send(fields: Record<string, string>): Promise<SignInRefusal | null> {
    const refusal = await signIn(fields)
    if (!refusal) await onSignedIn()
    const next = refusal?.secondStep
    if (next && next.ticket === null) {
      setExpired(refusal)
      setStep(null)
    } else if (next && !step) {
      setStep(next)
      return null
    }
    return refusal
  }

  function startOver(): void {
    setExpired(null)
    setStep(null)
  }

  if (step) return <SecondStepForm step={step} send={send} onBack={startOver} />
  return (
    <div className="grid gap-3">
      <AuthForm
        fields={[{ ...EMAIL, defaultValue: email }, PASSWORD]}
        button="Sign in"
        refused={expired}
        submit={(values) => send(pick(values))}
      />
      <PasskeyButton send={send} />
    </div>
  )
}

const pick = ({ email = '', password = '' }: Record<string, string>) => ({ email, password })

type SecondStepFormProps = {
  step: SecondStep
  send: (fields: Record<string, string>) => Promise<SignInRefusal | null>
  onBack: () => void
}

const CODE: Field = {
  name: 'code',
  label: 'Code of your authenticator app',
  type: 'text',
  inputMode: 'numeric',
  autoComplete: 'one-time-code',
  hint: 'Six digits, new every 30 seconds.',
}
const RECOVERY: Field = {
  name: 'code',
  label: 'Recovery code',
  type: 'text',
  autoComplete: 'off',
  hint: 'One of those that you stored when you set up your second factor. Each works once.',
}

/** The second step of a sign-in, by one of the ways that the user has. */
function SecondStepForm({ step: { ticket, methods }, send, onBack }: SecondStepFormProps) {
  const hasApp = methods.includes('totp')
  const hasPasskey = methods.includes('passkey')
  const [field, setField] = useState<Field | null>(hasApp ? CODE : null)
  const proof = { ticket: ticket ?? '' }
  const form = useFirstInput(field)
  return (
    <div ref={form} className="grid gap-3">
      <p className="text-muted-foreground">
        {field
          ? 'Your password is right. One more step:'
          : 'Your password is right. Now use your passkey.'}
      </p>
      {field && (
        <AuthForm
          key={field.label}
          fields={[field]}
          button="Continue"
          submit={({ code = '' }) => send({ ...proof, code })}
        />
      )}
      {hasPasskey && <PasskeyButton send={send} ticket={proof.ticket} primary={!field} />}
      <div className="-mx-2 flex flex-wrap gap-1">
        {field !== RECOVERY && (
          <Button size="sm" variant="ghost" onClick={() => setField(RECOVERY)}>
            Use a recovery code
          </Button>
        )}
        {hasApp && field !== CODE && (
          <Button size="sm" variant="ghost" onClick={() => setField(CODE)}>
            Use your authenticator app
          </Button>
        )}
        <Button size="sm" variant="ghost" onClick={onBack}>
          Start over
        </Button>
      </div>
    </div>
  )
}

/** Moves the focus to the input of each new step: the control that was pressed is removed. */
function useFirstInput(step: unknown) {
  const container = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each step
  useEffect(() => container.current?.querySelector<HTMLElement>('input, button')?.focus(), [step])
  return container
}
