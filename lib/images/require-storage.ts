import type { ImageRow } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { Storage } from '@/lib/storage/storage'

/** Where an image is kept. Throws `unavailable` when that provider is not set up any more. */
export function requireStorage({ storage }: Deps, { provider }: ImageRow): Storage {
  const home = storage.of(provider)
  if (home) return home
  const message = `The image is kept at "${provider}", which this server is not set up for`
  throw new AppError('unavailable', message)
}
