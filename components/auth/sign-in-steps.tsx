'use client'
import { useState } from 'react'
import { type SecondStep, type SignInRefusal, signIn } from './auth-api'
import { AuthForm, EMAIL, PASSWORD } from './auth-form'
import { PasskeyButton } from './passkey-button'
import { SecondStepForm } from './second-step-form'

type Props = {
  /** Filled in. */
  email?: string
  onSignedIn: () => Promise<void>
}

/** E-mail and password, then the second factor of users who have one; or a passkey alone. */
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
