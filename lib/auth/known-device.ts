import { EncryptJWT } from 'jose'
import { type AppSecret, deriveKey } from '@/lib/crypto/derive-key'
import type { Env } from '@/lib/env'
import { decryptToken } from './decrypt-token'
import { subjectHash } from './rate-limit'
import { readCookie } from './read-cookie'
import { usesHttps } from './session-cookie'

/** A browser used for sign-ins; `accounts` are hashes of the emails, the latest first. */
export type Device = { id: string; accounts: string[] }

const MAX_AGE_S = 365 * 24 * 60 * 60
const MAX_ACCOUNTS = 5

const cookieName = (settings: Env) => `${usesHttps(settings) ? '__Secure-' : ''}engine.device`

/** Whether the device was used for a sign-in with this email. */
export const knowsAccount = (device: Device, email: string) =>
  device.accounts.includes(subjectHash(email))

/** The device, after a sign-in with `email`. */
export function withAccount(device: Device | null, email: string): Device {
  const hash = subjectHash(email)
  const others = device?.accounts.filter((account) => account !== hash) ?? []
  const accounts = [hash, ...others].slice(0, MAX_ACCOUNTS)
  return { id: device?.id ?? crypto.randomUUID(), accounts }
}

/** A `Set-Cookie` value by which sign-ins recognise the device. It grants no access by itself. */
export async function deviceCookie(
  device: Device,
  settings: Env,
  secret: AppSecret,
): Promise<string> {
  const token = await new EncryptJWT(device)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setExpirationTime(`${MAX_AGE_S}s`)
    .encrypt(deriveKey(secret, 'device'))
  const secure = usesHttps(settings) ? '; Secure' : ''
  const attributes = `Path=/api/auth; HttpOnly; SameSite=Lax; Max-Age=${MAX_AGE_S}${secure}`
  return `${cookieName(settings)}=${token}; ${attributes}`
}

/** The device in the cookie of a request; null without a valid one. */
export async function readDevice(
  headers: Headers,
  settings: Env,
  secret: AppSecret,
): Promise<Device | null> {
  const token = readCookie(headers, cookieName(settings))
  if (!token) return null
  try {
    const { payload } = await decryptToken(token, secret, 'device')
    return payload as Device & typeof payload // encrypted by this server, or it would not have decrypted
  } catch {
    return null // expired or altered: an unknown device
  }
}
