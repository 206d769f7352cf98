import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'

const LOCK = 'write a backup'

type Turn = {
  /** For the files of the backup. */
  folder: string
  /** Removes the folder and lets others begin. */
  end: () => Promise<void>
}

/** Takes the turn of all servers on the database. Throws `conflict` while another backup is written. */
export async function beginBackup(deps: Pick<Deps, 'locks' | 'settings'>): Promise<Turn> {
  const lock = await takeTurn(deps)
  const folder = await newFolder(deps.settings.DATA_DIR).catch(async (error) => {
    await lock.release()
    throw error
  })
  const end = async () => {
    await rm(folder, { recursive: true, force: true })
    await lock.release()
  }
  return { folder, end }
}

/** Throws `conflict` while another backup is written. */
export async function requireNoOther({ locks }: Pick<Deps, 'locks'>): Promise<void> {
  if (await locks.isHeld(LOCK)) throw otherBackup()
}

const otherBackup = () =>
  new AppError('conflict', 'Another backup is being written; try again when it is complete')

async function takeTurn({ locks }: Pick<Deps, 'locks'>) {
  return locks.take(LOCK, 0).catch((error) => {
    if (!(error instanceof AppError && error.code === 'conflict')) throw error
    throw otherBackup()
  })
}

const PREFIX = 'backup-'

/** Removes what killed servers have left: the lock is held. Others may be the files of `BACKUP_DIR`. */
async function newFolder(dataDir: string): Promise<string> {
  const parent = join(dataDir, 'backups')
  await mkdir(parent, { recursive: true, mode: 0o700 })
  for (const name of (await readdir(parent)).filter((name) => name.startsWith(PREFIX)))
    await rm(join(parent, name), { recursive: true, force: true })
  return mkdtemp(join(parent, PREFIX))
}
