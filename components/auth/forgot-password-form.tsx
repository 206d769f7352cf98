'use client'
import { useState } from 'react'
import { send } from './auth-api'
import { AuthDone } from './auth-done'
import { AuthForm, EMAIL } from './auth-form'

/** Says the same whether there is such an account or not. */
export function ForgotPasswordForm({ sendsMail }: { sendsMail: boolean }) {
  const [email, setEmail] = useState<string | null>(null)
  if (email !== null)
    return (
      <AuthDone title={sendsMail ? 'Look into your mailbox' : 'Ask an administrator for the link'}>
        {sendsMail
          ? `If there is an account for ${email}, a mail with a link is on its way to it.`
          : `This server sends no mails. If there is an account for ${email}, the mail with the link is kept in the outbox, where an administrator can read it.`}
      </AuthDone>
    )
  return (
    <AuthForm
      fields={[EMAIL]}
      button={sendsMail ? 'Send the link' : 'Make a link'}
      submit={async ({ email: wanted = '' }) => {
        const refusal = await send('POST', '/api/auth/forget-password', { email: wanted })
        if (!refusal) setEmail(wanted)
        return refusal
      }}
    />
  )
}
