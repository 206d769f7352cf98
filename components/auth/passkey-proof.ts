import {
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser'
import { failure } from '@/lib/http/client'
import { passkeyWords } from './passkey-words'

type Proof = { challengeId: string; response: unknown } | { error: string }
type Challenge = { challengeId: string; options: PublicKeyCredentialRequestOptionsJSON }

/** Lets the user choose a passkey, which signs a challenge of the server; `ticket`: of a second step. */
export async function passkeyProof(ticket?: string): Promise<Proof> {
  try {
    const response = await fetch('/api/auth/passkey', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ticket }),
    })
    const body = (await response.json()) as { data: Challenge[] }
    const [challenge] = body.data
    if (!challenge) throw failure(response.status, body, null)
    const { challengeId, options: optionsJSON } = challenge
    return { challengeId, response: await startAuthentication({ optionsJSON }) }
  } catch (error) {
    return { error: passkeyWords(error) }
  }
}
