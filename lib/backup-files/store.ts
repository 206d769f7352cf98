import type { Env } from '@/lib/env'
import { bucketStore } from './bucket-store'
import { folderStore } from './folder-store'

/** Where backups on schedule are kept. Methods throw when it cannot be reached. */
export type BackupStore = {
  /** Of messages. */
  title: string
  /** Of all files there. */
  names: () => Promise<string[]>
  /** Lets `write` write a file, which appears under `name` when it is complete; resolves with its bytes. */
  add: (name: string, write: (path: string) => Promise<void>) => Promise<number>
  /** Lets `work` read a file of this disk that has the content of `name`. */
  read: <T>(name: string, work: (path: string) => Promise<T>) => Promise<T>
  /** The content of a small file; empty when there is none. */
  readText: (name: string) => Promise<string>
  writeText: (name: string, text: string) => Promise<void>
  remove: (name: string) => Promise<void>
  /** Why nothing can be kept there, in few words; null when it can. */
  problem: () => Promise<string | null>
}

export type StoreSettings = Pick<Env, 'BACKUP_DIR' | 'BACKUP_S3_URL' | 'DATA_DIR'>

/** Null where neither `BACKUP_DIR` nor `BACKUP_S3_URL` is set. */
export function backupStore(settings: StoreSettings, signal?: AbortSignal): BackupStore | null {
  const { BACKUP_DIR, BACKUP_S3_URL, DATA_DIR } = settings
  if (BACKUP_S3_URL) return bucketStore(BACKUP_S3_URL, DATA_DIR, { signal })
  return BACKUP_DIR ? folderStore(BACKUP_DIR) : null
}
