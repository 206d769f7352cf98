import { z } from 'zod'
import { AppError } from '@/lib/errors'
import { type CloudinaryAccount, deliversFrom } from './cloudinary-account'
import type { ObjectFacts } from './storage'

const responseSchema = z.object({
  asset_id: z.string().min(1).max(255),
  public_id: z.string(),
  url: z.url(),
  secure_url: z.url(),
  bytes: z.number(),
  width: z.number(),
  height: z.number(),
  format: z.string(),
})

/**
 * Picks what a record needs from a response. Throws `upstream_failed` for a response of another
 * shape or of another object, or with an address outside the account: browsers load what is stored
 * here.
 */
export function readResponse(
  response: unknown,
  account: CloudinaryAccount,
  key: string,
): ObjectFacts {
  const parsed = responseSchema.safeParse(response)
  if (!parsed.success) throw unexpected(z.prettifyError(parsed.error))
  const { asset_id, public_id, url, secure_url, bytes, width, height, format } = parsed.data
  if (public_id !== key) throw unexpected(`"${key}" was stored as "${public_id}"`)
  if (!deliversFrom(account, secure_url)) throw unexpected(`secure_url is "${secure_url}"`)
  if (!deliversFrom(account, url.replace(/^http:/, 'https:')) && !deliversFrom(account, url))
    throw unexpected(`url is "${url}"`)
  return { assetId: asset_id, uri: url, secureUri: secure_url, bytes, width, height, format }
}

export const unexpected = (what: string) =>
  new AppError('upstream_failed', 'The image storage sent an unexpected response', {
    cause: new Error(`Cloudinary: ${what.slice(0, 500)}`),
  })
