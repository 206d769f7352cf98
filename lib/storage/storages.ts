import { join } from 'node:path'
import type { Env } from '@/lib/env'
import { cloudinaryStorage } from './cloudinary'
import { guarded } from './guarded'
import { localStorage } from './local'
import type { Storages } from './storage'

/**
 * Cloudinary when it is configured, else the local disk, whose images are served in either case.
 */
export function createStorages({ CLOUDINARY_URL, DATA_DIR }: Env): Storages {
  const disk = localStorage(join(/* turbopackIgnore: true */ DATA_DIR, 'images'))
  const local = guarded(disk)
  const cloudinary = CLOUDINARY_URL ? guarded(cloudinaryStorage(CLOUDINARY_URL)) : null
  return {
    current: cloudinary ?? local,
    of: (provider) => (provider === 'local' ? local : cloudinary),
    local: disk,
  }
}
