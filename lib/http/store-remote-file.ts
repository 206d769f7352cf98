import type { Deps } from '@/lib/deps'
import { fileTooLarge, type StoredFile, storeFile } from './store-file'

type Options = { maxFileBytes: number; folder: string }

/**
 * Loads the file at an address that a user gave to a new temporary file, which the caller removes.
 * Throws as `Remote.open` and `storeFile` do.
 */
export async function storeRemoteFile(
  { remote }: Pick<Deps, 'remote'>,
  address: string,
  options: Options,
): Promise<StoredFile> {
  const file = await remote.open(address)
  try {
    if (file.bytes !== null && file.bytes > options.maxFileBytes)
      throw fileTooLarge(options.maxFileBytes)
    const about = { fileName: file.name, declaredType: '' }
    return await storeFile(file.body, about, options)
  } finally {
    file.close()
  }
}
