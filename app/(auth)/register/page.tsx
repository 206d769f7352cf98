import Link from 'next/link'
import { redirect } from 'next/navigation'
import { AuthPage, authLinkClass } from '@/components/auth/auth-page'
import { RegisterForm } from '@/components/auth/register-form'
import { isSetUp } from '@/lib/bootstrap/create-first-administrator'
import type { Registration } from '@/lib/env'
import { publicPageContext } from '@/lib/http/page'

export const metadata = { title: 'Create an account' }

export default async function RegisterPage() {
  const { deps, actor } = await publicPageContext()
  const { REGISTRATION: registration } = deps.settings
  if (!(await isSetUp(deps.db))) redirect('/setup')
  if (actor || registration.by === 'off') redirect('/login')
  const sendsMail = deps.mail !== null
  const onlyInvited = registration.by === 'invited'
  const back = (
    <Link href="/login" className={authLinkClass}>
      Back to sign in
    </Link>
  )
  return (
    <AuthPage
      title={onlyInvited ? 'Get your invitation again' : 'Create an account'}
      intro={`${introOf(registration)}${sendsMail ? '' : ' This server does not send mail: an administrator can give you the link.'}`}
      footer={back}
    >
      <RegisterForm sendsMail={sendsMail} onlyInvited={onlyInvited} />
    </AuthPage>
  )
}

function introOf({ by, domains }: Registration): string {
  if (by === 'invited')
    return 'Accounts are made by administrators here. If you were invited, a new mail has the link to your account.'
  const who = by === 'domain' ? `For email addresses at ${list.format(domains)}. ` : ''
  return `${who}A link by mail confirms your address; then you choose a password.`
}

const list = new Intl.ListFormat('en', { type: 'disjunction' })
