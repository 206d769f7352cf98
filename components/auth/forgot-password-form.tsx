'use client'
import { useState } from 'react'
import { send } from './auth-api'
import { AuthForm, EMAIL } from './auth-form'
import { AuthDone } from './auth-page'

/** Shows the same whether the account exists or not. */
export function ForgotPasswordForm({ sendsMail }: { sendsMail: boolean }) {
  const [email, setEmail] = useState<string | null>(null)
  if (email !== null)
    return (
      <AuthDone title={sendsMail ? 'Check your mail' : 'Ask an administrator for the link'}>
        {sendsMail
          ? `If there is an account for ${email}, we sent it a mail with a link.`
          : `This server does not send mail. If there is an account for ${email}, an administrator can find the link in the outbox.`}
      </AuthDone>
    )
  return (
    <AuthForm
      fields={[EMAIL]}
      button={sendsMail ? 'Send link' : 'Create link'}
      submit={async ({ email: wanted = '' }) => {
        const refusal = await send('POST', '/api/auth/forget-password', { email: wanted })
        if (!refusal) setEmail(wanted)
        return refusal
      }}
    />
  )
}
