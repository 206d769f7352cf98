import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { type BackupStore, backupStore, type StoreSettings } from '@/lib/backup-files/store'
import { momentOf } from './schedule/file-names'

/** A backup on this disk, and its name in the store where it is one of the schedule. */
export type FoundFile = { path: string; store: BackupStore | null; name: string }

/**
 * Lets `work` read the backup `named`: a file, or the name of one of the schedule in a bucket, which is loaded first. Without a name it is the
 * newest of the schedule. Throws when there is none.
 */
export async function withFile<T>(
  settings: StoreSettings,
  named: string | undefined,
  work: (file: FoundFile) => Promise<T>,
): Promise<T> {
  const store = backupStore(settings)
  if (named !== undefined && !isInBucket(settings, named))
    return work({ path: named, ...ofFolder(settings, store, named) })
  if (!store) throw new Error('Name a file, or set BACKUP_DIR or BACKUP_S3_URL')
  const name = named ?? (await newestOf(store))
  return store.read(name, (path) => work({ path, store, name }))
}

const isInBucket = ({ BACKUP_S3_URL }: StoreSettings, named: string) =>
  BACKUP_S3_URL !== undefined && !existsSync(named) && momentOf(named) !== null

function ofFolder({ BACKUP_DIR }: StoreSettings, store: BackupStore | null, file: string) {
  const name = basename(file)
  const isThere = BACKUP_DIR && resolve(BACKUP_DIR) === dirname(resolve(file))
  return { name, store: isThere && momentOf(name) ? store : null }
}

async function newestOf(store: BackupStore): Promise<string> {
  const newest = (await store.names()).filter(momentOf).sort().at(-1)
  if (!newest) throw new Error(`${store.title} has no backup of the schedule`)
  return newest
}
