import Link from 'next/link'
import { redirect } from 'next/navigation'
import { AuthPage, authLinkClass } from '@/components/auth/auth-page'
import { ProviderButtons } from '@/components/auth/provider-buttons'
import { SignInForm } from '@/components/auth/sign-in-form'
import { Notice } from '@/components/ui/notice'
import { ownPath } from '@/lib/auth/own-path'
import { isSetUp } from '@/lib/bootstrap/create-first-administrator'
import { publicPageContext } from '@/lib/http/page'
import { pendingStep } from '@/lib/http/pending-step'
import { PROVIDER_REFUSALS } from '@/lib/users/provider-refusal'

export const metadata = { title: 'Sign in' }

export default async function LoginPage({ searchParams }: PageProps<'/login'>) {
  const { deps, actor } = await publicPageContext()
  const { next, callbackUrl, error, step, local } = await searchParams
  const target = ownPath(next ?? callbackUrl)
  if (actor?.mustChangePassword) redirect('/change-password')
  if (actor) redirect(actor.mustSetUpSecondFactor ? '/second-factor' : target)
  if (!(await isSetUp(deps.db))) redirect('/setup')
  const { OIDC, PASSWORD_SIGN_IN, BREAK_GLASS_ADMIN, REGISTRATION } = deps.settings
  const pending = step === 'provider' ? await pendingStep(deps) : null
  const hasPasswords = PASSWORD_SIGN_IN || pending !== null || local !== undefined
  const providers = pending ? [] : OIDC.map(({ name, label }) => ({ name, label }))
  const elsewhere = PASSWORD_SIGN_IN && (
    <span className="flex flex-wrap justify-between gap-x-4 gap-y-2">
      <Link href="/forgot-password" className={authLinkClass}>
        Forgot your password?
      </Link>
      {REGISTRATION.by !== 'off' && (
        <Link href="/register" className={authLinkClass}>
          {REGISTRATION.by === 'invited' ? 'Get your invitation again' : 'Create an account'}
        </Link>
      )}
    </span>
  )
  return (
    <AuthPage title="Sign in" footer={elsewhere}>
      {typeof error === 'string' && (
        <Notice tone="destructive" role="alert">
          {MESSAGES[error] ?? MESSAGES.Unavailable}
        </Notice>
      )}
      <ProviderButtons providers={providers} returnTo={target} hasPasswords={hasPasswords} />
      {hasPasswords && <SignInForm next={target} pending={pending} />}
      {!hasPasswords && BREAK_GLASS_ADMIN && (
        <p className="text-[13px] text-muted-foreground">
          <a href="/login?local" className={authLinkClass}>
            Sign in with the administrator’s password
          </a>
        </p>
      )}
    </AuthPage>
  )
}

// For forms sent without JavaScript. Text from the address is never shown as it is.
const MESSAGES: Record<string, string> = {
  ...PROVIDER_REFUSALS,
  CredentialsSignin: 'The email or password is wrong.',
  AccessDenied: 'This account can’t sign in. Activate it or ask an administrator.',
  SecondFactor:
    'This account has a second factor, which needs JavaScript. Turn it on and try again.',
  RateLimited: 'Too many attempts. Try again later.',
  Unavailable: 'Sign-in failed. Try again.',
}
