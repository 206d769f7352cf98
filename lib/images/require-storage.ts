import type { ImageRow } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { Storage } from '@/lib/storage/storage'

/** The storage of an image. Throws `unavailable` when that provider is no longer configured. */
export function requireStorage({ storage }: Deps, { provider }: ImageRow): Storage {
  const home = storage.of(provider)
  if (home) return home
  const message = `The image is kept at "${provider}", which this server is not set up for`
  throw new AppError('unavailable', message)
}
