import { headers } from 'next/headers'
import type { Deps } from '@/lib/deps'
import { openCookie } from '@/lib/oidc/sealed-cookie'

/** The second step that waits in this browser after a sign-in by a provider, or null. */
export async function pendingStep(deps: Pick<Deps, 'settings' | 'secret'>) {
  const step = await openCookie(deps, 'step', await headers())
  if (!step) return null
  const { ticket, methods, email, label } = step
  return { ticket, methods, provider: { label, email } }
}
