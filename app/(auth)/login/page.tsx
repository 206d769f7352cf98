import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { ownPath } from '@/components/auth/own-path'
import { SignInForm } from '@/components/auth/sign-in-form'
import { hasAdministrator } from '@/lib/bootstrap/create-first-administrator'
import { publicPageContext } from '@/lib/http/page'

export const metadata: Metadata = { title: 'Sign in' }

export default async function LoginPage({ searchParams }: PageProps<'/login'>) {
  const { deps, actor } = await publicPageContext()
  const { next, callbackUrl, error } = await searchParams
  const target = ownPath(next ?? callbackUrl)
  if (actor) redirect(actor.mustChangePassword ? '/change-password' : target)
  if (!(await hasAdministrator(deps.db))) redirect('/setup')
  const message = typeof error === 'string' ? (MESSAGES[error] ?? MESSAGES.Unavailable) : null
  return (
    <>
      <h1 className="text-xl font-semibold">Sign in</h1>
      {message && <p role="alert">{message}</p>}
      <SignInForm next={target} />
      <Link href="/forgot-password">Forgot password?</Link>
    </>
  )
}

// Of forms sent without JavaScript; nothing from the address is shown as it is.
const MESSAGES: Record<string, string> = {
  CredentialsSignin: 'The e-mail or the password is wrong',
  AccessDenied: 'This account may not sign in; activate it, or ask an administrator',
  RateLimited: 'Too many attempts; try again later',
  Unavailable: 'You could not be signed in; try again',
}
