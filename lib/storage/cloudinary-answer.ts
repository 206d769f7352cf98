import { z } from 'zod'
import { AppError } from '@/lib/errors'
import type { ObjectFacts } from './storage'

const answerSchema = z.object({
  public_id: z.string(),
  url: z.url(),
  secure_url: z.url(),
  bytes: z.number(),
  width: z.number(),
  height: z.number(),
  format: z.string(),
})

/** Takes what a record needs; the rest of the answer goes no further. Throws `upstream_failed`. */
export function readAnswer(answer: unknown, key: string): ObjectFacts {
  const parsed = answerSchema.safeParse(answer)
  if (!parsed.success) throw unexpected(z.prettifyError(parsed.error))
  const { public_id, url, secure_url, bytes, width, height, format } = parsed.data
  if (public_id !== key) throw unexpected(`"${key}" was stored as "${public_id}"`)
  return { uri: url, secureUri: secure_url, bytes, width, height, format }
}

export const unexpected = (what: string) =>
  new AppError('upstream_failed', 'The image storage gave an answer nobody can read', {
    cause: new Error(`Cloudinary: ${what}`),
  })
