import { useEffect } from 'react'
import { reloadPage } from '@/components/drafts/unsaved'
import { useServerFacts } from '@/components/shell/server-facts'
import { useViewer } from '@/components/shell/viewer'
import { Button, buttonClass } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { useOwnEscape } from '@/components/ui/use-own-escape'
import { authLinkClass } from './auth-page'
import { SignInSteps } from './sign-in-steps'

type Props = { onAnswer: (signedIn: boolean) => void }

/** Signs the user of the page in again. For anybody else the page is loaded anew. */
export default function SignInDialog({ onAnswer }: Props) {
  const { userId, email } = useViewer()
  const decline = () => onAnswer(false)
  useOwnEscape(decline)

  async function onSignedIn(): Promise<void> {
    if ((await readUserId()) === userId) onAnswer(true)
    else reloadPage()
  }

  return (
    <Dialog
      stays
      onClose={decline}
      title="Sign in to continue"
      description="Your session has ended. What you entered is kept."
      size="sm"
      initialFocus="input[type=password]"
    >
      <div className="grid gap-4">
        <ProvidersInTabs onSignedIn={onSignedIn} />
        <SignInSteps email={email} onSignedIn={onSignedIn} />
        <div className="flex items-center justify-between gap-2 text-[13px]">
          <a href="/forgot-password" target="_blank" rel="noreferrer" className={authLinkClass}>
            Forgot your password?
          </a>
          <Button size="sm" variant="ghost" onClick={decline}>
            Not now
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** A provider has its sign-in in another tab, so that this page stays; coming back to it goes on. */
function ProvidersInTabs({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const { providers } = useServerFacts()
  useEffect(() => {
    if (providers.length === 0) return
    const look = async () => {
      if ((await readUserId()) !== null) await onSignedIn()
    }
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  })
  return providers.map(({ name, label }) => (
    <a
      key={name}
      href={`/api/auth/oidc/${name}?returnTo=%2Fprofile`}
      target="_blank"
      rel="noreferrer"
      className={buttonClass({ variant: 'outline' })}
    >
      Sign in with {label} in a new tab
    </a>
  ))
}

/** Of who is signed in; null for somebody who must choose a password first. */
async function readUserId(): Promise<string | null> {
  const response = await fetch('/api/users/me').catch(() => null)
  if (!response?.ok) return null
  const { data } = (await response.json()) as { data: { userId: string }[] }
  return data[0]?.userId ?? null
}
