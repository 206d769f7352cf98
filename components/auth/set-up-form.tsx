'use client'
import { send, signIn } from './auth-api'
import { AuthForm } from './auth-form'

export function SetUpForm() {
  return (
    <AuthForm
      fields={[
        { name: 'email', label: 'E-mail', type: 'email', autoComplete: 'username' },
        { name: 'password', label: 'Password', type: 'password', autoComplete: 'new-password' },
      ]}
      button="Create administrator"
      submit={async ({ email = '', password = '' }) => {
        const refusal =
          (await send('POST', '/api/auth/setup', { email, password })) ??
          (await signIn(email, password))
        if (!refusal) window.location.assign('/')
        return refusal
      }}
    />
  )
}
