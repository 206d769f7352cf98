import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

const PREFIX = 'upload-'

// On `globalThis`: the sweep and the handlers are bundles with a copy of this module each.
const shared = globalThis as typeof globalThis & { __engineUploads?: Set<string> }
shared.__engineUploads ??= new Set()
/** Paths that this process created and may still use. */
const live = shared.__engineUploads

/** A new random name in `folder`, which is created if missing. Contains no input of the client. */
export async function temporaryPath(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(/* turbopackIgnore: true */ folder, `${PREFIX}${crypto.randomUUID()}`)
  live.add(path)
  return path
}

/**
 * Removes uploads of dead processes in `folder`, and returns their number. A live process touches
 * its own first, so `olderThanMs` must be longer than the time between two sweeps. Keeps all other
 * files.
 */
export async function sweepTemporaryFiles(folder: string, olderThanMs: number): Promise<number> {
  await touchLiveFiles()
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

/** Drops the paths of files that are removed. */
async function touchLiveFiles(): Promise<void> {
  const now = new Date()
  for (const path of live)
    await utimes(path, now, now).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      live.delete(path)
    })
}

function emptyWhenMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}

function undefinedWhenMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
