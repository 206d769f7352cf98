'use client'
import { send, signIn } from './auth-api'
import { AuthForm, EMAIL, NEW_PASSWORD } from './auth-form'

export function SetUpForm() {
  return (
    <AuthForm
      fields={[EMAIL, { ...NEW_PASSWORD, label: 'Password' }]}
      button="Create administrator"
      submit={async ({ email = '', password = '' }) => {
        const refusal =
          (await send('POST', '/api/auth/setup', { email, password })) ??
          (await signIn({ email, password }))
        if (!refusal) window.location.assign('/')
        return refusal
      }}
    />
  )
}
