import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** PostgreSQL's own mark of a folder that holds a database. */
const MARK = 'PG_VERSION'

export const holdsDatabase = (folder: string): boolean => existsSync(join(folder, MARK))

/**
 * Makes the database of a new folder, by `make` in a folder within it (which may be a disk of its own): a process that
 * ends meanwhile leaves `folder` without a mark, and the next one begins again. The caller has the lock.
 */
export async function fillFolder(
  folder: string,
  make: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = join(folder, '.new')
  mkdirSync(folder, { recursive: true })
  rmSync(draft, { recursive: true, force: true })
  await make(draft)
  // The mark last: until then whatever was moved before is replaced.
  const names = readdirSync(draft).filter((name) => name !== MARK)
  for (const name of [...names, MARK]) {
    rmSync(join(folder, name), { recursive: true, force: true })
    renameSync(join(draft, name), join(folder, name))
  }
  rmSync(draft, { recursive: true })
}
