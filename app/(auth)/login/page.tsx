import Link from 'next/link'
import { redirect } from 'next/navigation'
import { AuthPage, authLinkClass } from '@/components/auth/auth-page'
import { SignInForm } from '@/components/auth/sign-in-form'
import { Notice } from '@/components/ui/notice'
import { isSetUp } from '@/lib/bootstrap/create-first-administrator'
import { publicPageContext } from '@/lib/http/page'

export const metadata = { title: 'Sign in' }

export default async function LoginPage({ searchParams }: PageProps<'/login'>) {
  const { deps, actor } = await publicPageContext()
  const { next, callbackUrl, error } = await searchParams
  const target = ownPath(next ?? callbackUrl)
  if (actor?.mustChangePassword) redirect('/change-password')
  if (actor) redirect(actor.mustSetUpSecondFactor ? '/second-factor' : target)
  if (!(await isSetUp(deps.db))) redirect('/setup')
  const forgotten = (
    <Link href="/forgot-password" className={authLinkClass}>
      Forgot your password?
    </Link>
  )
  return (
    <AuthPage title="Sign in" footer={forgotten}>
      {typeof error === 'string' && (
        <Notice tone="destructive" role="alert">
          {MESSAGES[error] ?? MESSAGES.Unavailable}
        </Notice>
      )}
      <SignInForm next={target} />
    </AuthPage>
  )
}

// For forms sent without JavaScript. Text from the address is never shown as it is.
const MESSAGES: Record<string, string> = {
  CredentialsSignin: 'The email or password is wrong.',
  AccessDenied: 'This account can’t sign in. Activate it or ask an administrator.',
  SecondFactor:
    'This account has a second factor, which needs JavaScript. Turn it on and try again.',
  RateLimited: 'Too many attempts. Try again later.',
  Unavailable: 'Sign-in failed. Try again.',
}

/** `path` if it leads to a page of this console, else the start page. */
const ownPath = (path: unknown): string =>
  typeof path === 'string' && /^\/(?![/\\])/.test(path) ? path : '/'
