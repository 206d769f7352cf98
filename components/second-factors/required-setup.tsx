'use client'
import { KeyRoundIcon, SmartphoneIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useOffersPasskeys } from '@/components/auth/passkey-button'
import { Button } from '@/components/ui/button'

const FactorDialog = dynamic(() => import('./factor-dialog'), { ssr: false })

/** The choice of a second factor, for users who can't go on without one. */
export function RequiredSetup() {
  const [kind, setKind] = useState<'totp' | 'passkey' | null>(null)
  const offersPasskeys = useOffersPasskeys()
  return (
    <div className="grid gap-2">
      <Button variant="primary" onClick={() => setKind('totp')}>
        <SmartphoneIcon aria-hidden /> Set up an authenticator app
      </Button>
      {offersPasskeys && (
        <Button onClick={() => setKind('passkey')}>
          <KeyRoundIcon aria-hidden /> Add a passkey
        </Button>
      )}
      <Button variant="ghost" onClick={() => void leave()}>
        Sign out
      </Button>
      {kind && (
        <FactorDialog
          kind={kind}
          onClose={() => setKind(null)}
          onAdded={() => window.location.assign('/')}
        />
      )}
    </div>
  )
}

async function leave(): Promise<void> {
  const { signOut } = await import('next-auth/react')
  await signOut({ callbackUrl: '/login' })
}
