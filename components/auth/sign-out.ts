import { dropDraftsOf } from '@/components/drafts/stored-drafts'
import { clearPrivate } from '@/components/ui/private-storage'
import { api } from '@/lib/http/client'
import type { Session } from '@/lib/users/session-contract'

type Provider = { name: string; signsOutThere: boolean }

/**
 * Signs out here, and at the provider by which the session began where its settings say so. Nothing that the user
 * typed stays on this device.
 */
export async function signOutEverywhere(
  userId: string,
  providers: readonly Provider[],
): Promise<void> {
  dropDraftsOf(userId)
  clearPrivate()
  const left = providers.filter(({ signsOutThere }) => signsOutThere)
  const way = left.length > 0 ? await wayOfSession() : null
  const provider = left.find(({ name }) => way === `oidc:${name}`)
  const { signOut } = await import('next-auth/react')
  await signOut({ callbackUrl: provider ? `/api/auth/oidc/${provider.name}/logout` : '/login' })
}

/** How the session of this browser began; null when that can't be known. */
const wayOfSession = (): Promise<string | null> =>
  api<Session>('/api/users/me/sessions').then(
    ({ data }) => data.find(({ current }) => current)?.signedInBy ?? null,
    () => null,
  )
