'use client'
import { useState } from 'react'
import { send } from './auth-api'
import { AuthForm, EMAIL } from './auth-form'
import { AuthDone } from './auth-page'

type Props = { sendsMail: boolean; onlyInvited: boolean }

/** Shows the same whether the address has an account, may have one, or not. */
export function RegisterForm({ sendsMail, onlyInvited }: Props) {
  const [email, setEmail] = useState<string | null>(null)
  if (email !== null)
    return (
      <AuthDone title={sendsMail ? 'Check your mail' : 'Ask an administrator for the link'}>
        <span className="wrap-anywhere">{wordsFor(email, { sendsMail, onlyInvited })}</span>
      </AuthDone>
    )
  return (
    <AuthForm
      fields={[EMAIL]}
      button={sendsMail ? 'Send link' : 'Create link'}
      submit={async ({ email: wanted = '' }) => {
        const refusal = await send('POST', '/api/auth/register', { email: wanted })
        if (!refusal) setEmail(wanted)
        return refusal
      }}
    />
  )
}

function wordsFor(email: string, { sendsMail, onlyInvited }: Props): string {
  const condition = onlyInvited ? `If ${email} was invited` : `If ${email} can have an account here`
  return sendsMail
    ? `${condition}, we sent it a mail that says how to go on.`
    : `This server does not send mail. ${condition}, an administrator can find the link in the outbox.`
}
