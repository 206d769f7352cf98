import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Makes the folder `DATA_DIR` if it is missing. Throws, with the name of the setting, when no file can be written there. */
export async function requireDataFolder(dataDir: string): Promise<void> {
  const folder = resolve(/* turbopackIgnore: true */ dataDir)
  const file = join(folder, `.writable-${process.pid}-${crypto.randomUUID()}`)
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(file, '')
    await rm(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = REASONS[code ?? ''] ?? (error as Error).message
    throw new Error(
      `DATA_DIR: ${folder} can't be written: ${reason}. Set it to a folder of this user`,
    )
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
