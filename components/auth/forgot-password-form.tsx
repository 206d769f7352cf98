'use client'
import { useState } from 'react'
import { send } from './auth-api'
import { AuthDone } from './auth-done'
import { AuthForm, EMAIL } from './auth-form'

/** Says the same whether there is such an account or not. */
export function ForgotPasswordForm() {
  const [email, setEmail] = useState<string | null>(null)
  if (email !== null)
    return (
      <AuthDone title="Look into your mailbox">
        If there is an account for {email}, a mail with a link is on its way to it.
      </AuthDone>
    )
  return (
    <AuthForm
      fields={[EMAIL]}
      button="Send the link"
      submit={async ({ email: wanted = '' }) => {
        const refusal = await send('POST', '/api/auth/forget-password', { email: wanted })
        if (!refusal) setEmail(wanted)
        return refusal
      }}
    />
  )
}
