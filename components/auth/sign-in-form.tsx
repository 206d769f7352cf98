'use client'
import type { SecondStep } from './auth-api'
import { SignInSteps } from './sign-in-steps'

type Props = {
  /** The path to go to afterwards. */
  next: string
  /** A second step after a sign-in by a provider. */
  begun: SecondStep | null
}

export function SignInForm({ next, begun }: Props) {
  // A full load: it discards everything that was rendered without a user.
  return <SignInSteps begun={begun} onSignedIn={async () => window.location.assign(next)} />
}
