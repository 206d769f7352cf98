import 'server-only'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const PREFIX = 'upload-'

/** A new name in `folder`, which is made when missing. Nothing of the client is in it. */
export async function temporaryPath(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return join(/* turbopackIgnore: true */ folder, `${PREFIX}${crypto.randomUUID()}`)
}

/**
 * Removes uploads that a dead process left in `folder`, and answers how many. `olderThanMs` must be
 * longer than any upload takes: the age is that of the last write. Other files are left alone.
 */
export async function sweepTemporaryFiles(folder: string, olderThanMs: number): Promise<number> {
  const names = await readdir(folder).catch(emptyWhenMissing)
  const oldest = Date.now() - olderThanMs
  let removed = 0
  for (const name of names.filter((name) => name.startsWith(PREFIX))) {
    const path = join(folder, name)
    const found = await stat(path).catch(undefinedWhenMissing)
    if (!found || found.mtimeMs > oldest) continue
    await rm(path, { force: true })
    removed++
  }
  return removed
}

function emptyWhenMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}

function undefinedWhenMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
