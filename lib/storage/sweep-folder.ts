import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Removes the files directly in `folder` that have not changed for `olderThanMs`. */
export async function sweepFolder(folder: string, olderThanMs: number): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found?.isFile() && Date.now() - found.mtimeMs > olderThanMs) await rm(path, { force: true })
  }
}
