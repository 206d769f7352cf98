import type { Metadata } from 'next'
import Link from 'next/link'
import { AuthPage, authLinkClass } from '@/components/auth/auth-page'
import { ConfirmRegistrationForm } from '@/components/auth/confirm-registration-form'
import { VoidRegistrationLink } from '@/components/auth/void-registration-link'
import { publicPageContext } from '@/lib/http/page'
import { makesUsers, mayRegister } from '@/lib/registration/may-register'
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
  const isClosed = registrant
    ? !mayRegister(deps.settings, registrant.email)
    : !makesUsers(deps.settings)
  const opens = registrant !== null && !isClosed
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
      intro={opens && <Intro email={registrant.email} />}
      footer={signIn}
    >
      {opens ? (
        <ConfirmRegistrationForm token={text} />
      ) : (
        <VoidRegistrationLink isClosed={isClosed} />
      )}
    </AuthPage>
  )
}

const Intro = ({ email }: { email: string }) => (
  <>
    Choose a password for the account of <span className="wrap-anywhere">{email}</span>.
  </>
)
