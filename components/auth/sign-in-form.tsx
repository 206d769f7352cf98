'use client'
import type { SecondStep } from './auth-api'
import { SignInSteps } from './sign-in-steps'

type Props = {
  /** The path to go to afterwards. */
  next: string
  /** A second step after a sign-in by a provider. */
  pending: SecondStep | null
}

export function SignInForm({ next, pending }: Props) {
  // A full load: it discards everything that was rendered without a user.
  return <SignInSteps pending={pending} onSignedIn={async () => window.location.assign(next)} />
}
