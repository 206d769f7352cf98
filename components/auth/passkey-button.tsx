import { KeyRoundIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import type { SignInRefusal } from './auth-api'

type Props = {
  send: (fields: Record<string, string>) => Promise<SignInRefusal | null>
  /** Of a second step. */
  ticket?: string
  primary?: boolean
}

/** Signs in with a passkey; nothing where the browser knows none. */
export function PasskeyButton({ send, ticket, primary = false }: Props) {
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const offers = useOffersPasskeys()

  async function press(): Promise<void> {
    setBusy(true)
    setError(null)
    const { passkeyProof } = await import('./passkey-proof')
    const proof = await passkeyProof(ticket)
    if ('error' in proof) setError(proof.error)
    else {
      const passkey = JSON.stringify(proof)
      const refusal = await send(ticket === undefined ? { passkey } : { passkey, ticket })
      setError(refusal?.message ?? null)
    }
    setBusy(false)
  }

  if (!offers) return null
  return (
    <>
      {error && (
        <Notice tone="destructive" role="alert">
          {error}
        </Notice>
      )}
      <Button variant={primary ? 'primary' : 'outline'} busy={busy} onClick={press}>
        <KeyRoundIcon aria-hidden /> Use a passkey
      </Button>
    </>
  )
}

/** Known after the first rendering, which is the server's. */
export function useOffersPasskeys(): boolean {
  const [offers, setOffers] = useState(false)
  useEffect(() => setOffers(typeof window.PublicKeyCredential === 'function'), [])
  return offers
}
