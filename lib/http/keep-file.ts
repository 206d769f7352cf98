import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { StoredFile } from './store-file'
import { temporaryPath } from './temporary-files'

/** Keeps a received file beyond its request, for the caller to remove. Returns its new path. */
export async function keepFile({ path }: StoredFile): Promise<string> {
  const kept = await temporaryPath(dirname(path))
  await rename(path, kept)
  return kept
}
