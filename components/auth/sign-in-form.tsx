'use client'
import { signIn } from './auth-api'
import { AuthForm, EMAIL, PASSWORD } from './auth-form'

/** `next`: the path to go to afterwards. */
export function SignInForm({ next }: { next: string }) {
  return (
    <AuthForm
      fields={[EMAIL, PASSWORD]}
      button="Sign in"
      submit={async ({ email = '', password = '' }) => {
        const refusal = await signIn(email, password)
        // A full load: it discards everything that was rendered without a user.
        if (!refusal) window.location.assign(next)
        return refusal
      }}
    />
  )
}
