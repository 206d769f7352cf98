import type { Env } from '@/lib/env'
import { appUrl } from './app-url'
import { readCookie } from './read-cookie'
import { SESSION_MAX_AGE_S } from './session-token'

export const usesHttps = (settings: Pick<Env, 'APP_URL' | 'PORT'>) =>
  appUrl(settings).startsWith('https://')

/** next-auth's name: the prefix makes browsers refuse the cookie over plain HTTP. */
export const sessionCookieName = (settings: Env) =>
  `${usesHttps(settings) ? '__Secure-' : ''}next-auth.session-token`

/** The session token of a request, or null. */
export const readSessionCookie = (headers: Headers, settings: Env): string | null =>
  readCookie(headers, sessionCookieName(settings))

/** A `Set-Cookie` value that replaces the browser's session with `token`. */
export function sessionCookie(token: string, settings: Env): string {
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${SESSION_MAX_AGE_S}`
  const secure = usesHttps(settings) ? '; Secure' : ''
  return `${sessionCookieName(settings)}=${token}; ${attributes}${secure}`
}
