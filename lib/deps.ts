import type { CopyOut } from '@/lib/db/copy-out'
import type { Bus, Database, Db, Locks } from '@/lib/db/types'
import type { Env } from '@/lib/env'
import type { Log } from '@/lib/log'
import type { MailProvider } from '@/lib/mail-provider/provider'
import type { Storages } from '@/lib/storage/storage'

/** Everything a use case may reach in the outside world. Tests make their own. */
export type Deps = {
  settings: Env
  log: Log
  db: Db
  dialect: Database['dialect']
  locks: Locks
  bus: Bus
  copyOut: CopyOut
  /** The app's secret; take keys from it by `deriveKey`. */
  secret: string
  storage: Storages
  /** Null: mails stay in the outbox. */
  mail: MailProvider | null
}
