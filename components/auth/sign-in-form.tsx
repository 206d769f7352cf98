'use client'
import { SignInSteps } from './sign-in-steps'

/** `next`: the path to go to afterwards. */
export function SignInForm({ next }: { next: string }) {
  // A full load: it discards everything that was rendered without a user.
  return <SignInSteps onSignedIn={async () => window.location.assign(next)} />
}
