import 'server-only'
import { appUrl } from '@/lib/auth/app-url'
import type { Env } from '@/lib/env'

/** What apps and passkeys show as the place that they belong to. */
export const SERVICE = 'Engine'

/** Where passkeys hold: at the address of the app, and never at one that a request names. */
export function relyingParty(settings: Pick<Env, 'APP_URL' | 'PORT'>): {
  id: string
  origin: string
} {
  const { hostname, origin } = new URL(appUrl(settings))
  return { id: hostname, origin }
}
