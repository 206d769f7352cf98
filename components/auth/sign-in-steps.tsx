import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { type SecondStep, type SignInRefusal, signIn } from './auth-api'
import { AuthForm, EMAIL, type Field, PASSWORD } from './auth-form'
import { PasskeyButton } from './passkey-button'

type Props = {
  /** Filled in. */
  email?: string
  /** The second step at once, after a sign-in by a provider. */
  pending?: SecondStep | null
  onSignedIn: () => Promise<void>
}

/** Email and password, then the second factor of users who have one; or a passkey alone. */
export function SignInSteps({ email, pending = null, onSignedIn }: Props) {
  const [step, setStep] = useState<SecondStep | null>(pending)
  /** Why a second step led back here. */
  const [expired, setExpired] = useState<SignInRefusal | null>(null)

  async function send(fields: Record<string, string>): Promise<SignInRefusal | null> {
    const refusal = await signIn(fields)
    if (!refusal) await onSignedIn()
    const next = refusal?.secondStep
    if (next && next.ticket === null && !pending) {
      setExpired(refusal)
      setStep(null)
    } else if (next && !step) {
      setStep(next)
      return null
    }
    return refusal
  }

  function startOver(): void {
    // What began at a provider begins there again.
    if (pending) window.location.assign('/login')
    else setStep(null)
    setExpired(null)
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
function SecondStepForm({ step, send, onBack }: SecondStepFormProps) {
  const { ticket, methods, provider } = step
  const hasApp = methods.includes('totp')
  const hasPasskey = methods.includes('passkey')
  const first = methods.includes('password') ? PASSWORD : hasApp ? CODE : null
  const [field, setField] = useState<Field | null>(first)
  const proof = { ticket: ticket ?? '' }
  const form = useFirstInput(field)
  return (
    <div ref={form} className="grid gap-3">
      <p className="text-muted-foreground">
        {provider ? wordsOf(provider, field) : 'Your password is right. '}
        {field ? 'One more step:' : 'Now use your passkey.'}
      </p>
      {field && (
        <AuthForm
          key={field.label}
          fields={[field]}
          button="Continue"
          submit={(values) => send({ ...proof, [field.name]: values[field.name] ?? '' })}
        />
      )}
      {hasPasskey && <PasskeyButton send={send} ticket={proof.ticket} primary={!field} />}
      <div className="-mx-2 flex flex-wrap gap-1">
        {field !== RECOVERY && field !== PASSWORD && (
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

/** An administrator's account is linked after its password, which the provider can't know. */
const wordsOf = ({ label, email }: NonNullable<SecondStep['provider']>, field: Field | null) =>
  field === PASSWORD
    ? `${label} has signed you in. Enter the password of ${email} here once, to link both. `
    : `${label} has signed you in as ${email}. `

/** Moves the focus to the input of each new step: the control that was pressed is removed. */
function useFirstInput(step: unknown) {
  const container = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each step
  useEffect(() => container.current?.querySelector<HTMLElement>('input, button')?.focus(), [step])
  return container
}
