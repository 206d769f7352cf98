import type { Env } from '@/lib/env'
import { appUrl } from './app-url'
import { SESSION_MAX_AGE_S } from './session-token'

export const usesHttps = (settings: Pick<Env, 'APP_URL' | 'PORT'>) =>
  appUrl(settings).startsWith('https://')

/** next-auth's name: the prefix makes browsers refuse the cookie over plain HTTP. */
export const sessionCookieName = (settings: Env) =>
  `${usesHttps(settings) ? '__Secure-' : ''}next-auth.session-token`

/** The session token a request carries, or null. */
export function readSessionCookie(headers: Headers, settings: Env): string | null {
  const name = `${sessionCookieName(settings)}=`
  const pairs = headers.get('cookie')?.split(';') ?? []
  const pair = pairs.map((text) => text.trim()).find((text) => text.startsWith(name))
  return pair?.slice(name.length) || null
}

/** A `Set-Cookie` value that puts `token` in place of the browser's session. */
export function sessionCookie(token: string, settings: Env): string {
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${SESSION_MAX_AGE_S}`
  const secure = usesHttps(settings) ? '; Secure' : ''
  return `${sessionCookieName(settings)}=${token}; ${attributes}${secure}`
}
