import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { create, extract } from 'tar'

/** Runs `work` in a new folder beside `file`, on the same disk, and removes the folder. */
export async function inFolderBeside<T>(
  file: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(dirname(resolve(file)), `.${basename(file)}-`))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Packs a folder into one file, which appears under its name when it is complete. Throws when it exists. */
export async function pack(folder: string, file: string): Promise<void> {
  await requireNew(file)
  const draft = `${folder}.tar`
  try {
    await create(
      { file: draft, cwd: folder, portable: true, mode: 0o600 } as object,
      await readdir(folder),
    )
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
}

export async function requireNew(file: string): Promise<void> {
  if (await stat(file).catch(() => null)) throw new Error(`${file} exists: choose another name`)
}

/**
 * Unpacks files and folders alone: a link could lead out of `folder`. Throws, with the reason, when `file` is missing or no
 * whole archive.
 */
export async function unpack(file: string, folder: string): Promise<void> {
  const { size } = await stat(file).catch(() => {
    throw new Error(`There is no file ${file}`)
  })
  if (size === 0) throw new Error(`${file} is no whole backup: it is empty`)
  const isPlain = (type: string) => ['File', 'Directory'].includes(type)
  const filter = (_: string, entry: object) => 'type' in entry && isPlain(String(entry.type))
  await extract({ file, cwd: folder, strict: true, filter }).catch((error: Error) => {
    const reason = /^TAR_\w+: (.*)$/s.exec(error.message)?.[1]
    throw reason ? new Error(`${file} is no whole backup: ${reason}`, { cause: error }) : error
  })
}
