import type { Metadata } from 'next'
import Link from 'next/link'
import { AuthPage, authLinkClass } from '@/components/auth/auth-page'
import { ConfirmRegistrationForm } from '@/components/auth/confirm-registration-form'
import { buttonClass } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { publicPageContext } from '@/lib/http/page'
import { findRegistrant } from '@/lib/registration/token'

// The address contains a secret, so no referrer is sent.
export const metadata: Metadata = { title: 'Create your account', referrer: 'no-referrer' }

export default async function ConfirmRegistrationPage({
  searchParams,
}: PageProps<'/register/confirm'>) {
  const { deps } = await publicPageContext()
  const { token } = await searchParams
  const text = typeof token === 'string' ? token : ''
  const registrant = await findRegistrant(deps, text)
  const signIn = (
    <>
      Do you have an account already?{' '}
      <Link href="/login" className={authLinkClass}>
        Sign in
      </Link>
    </>
  )
  return (
    <AuthPage
      title="Create your account"
      intro={registrant && <Intro email={registrant.email} />}
      footer={signIn}
    >
      {registrant ? <ConfirmRegistrationForm token={text} /> : <VoidLink />}
    </AuthPage>
  )
}

const Intro = ({ email }: { email: string }) => (
  <>
    Choose a password for the account of <span className="wrap-anywhere">{email}</span>.
  </>
)

const VoidLink = () => (
  <div className="grid gap-4">
    <Notice tone="destructive" role="alert" title="This link was used or has expired">
      A link works once, for 24 hours.
    </Notice>
    <Link href="/register" className={buttonClass({ variant: 'primary' })}>
      Get a new link
    </Link>
  </div>
)
