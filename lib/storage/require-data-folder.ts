import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** Makes the folder `DATA_DIR` if it is missing. Throws, with the name of the setting, when no file can be written there. */
export async function requireDataFolder(dataDir: string): Promise<void> {
  const folder = resolve(/* turbopackIgnore: true */ dataDir)
  const file = join(folder, `.writable-${process.pid}-${crypto.randomUUID()}`)
  try {
    await makeFolder(folder)
    await writeFile(file, '')
    await rm(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = REASONS[code ?? ''] ?? (error as Error).message
    throw new Error(
      `DATA_DIR: ${folder} can't be written: ${reason}. Set it to a folder that this user can write`,
    )
  }
}

/** Node's own recursion never ends where a folder exists and none can be made in it, as in `/proc`. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error
    await makeFolder(dirname(folder))
    await mkdir(folder)
  }
}

const REASONS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its disk is read-only',
  ENOENT: 'no folder can be made there',
  ENOTDIR: 'a part of the path is no folder',
  EEXIST: 'it is no folder',
}
