import type { Layers } from '@/lib/around'
import type { AppSecret } from '@/lib/crypto/derive-key'
import type { CopyOut } from '@/lib/db/copy-out'
import type { Replicas } from '@/lib/db/replicas'
import type { Bus, Database, Db, Locks } from '@/lib/db/sql'
import type { Env } from '@/lib/env'
import type { Log } from '@/lib/log'
import type { MailProvider } from '@/lib/mail-provider/provider'
import type { Remote } from '@/lib/remote/remote'
import type { Storages } from '@/lib/storage/storage'

/** Everything outside the process that a use case may use. Tests make their own. */
export type Deps = {
  settings: Env
  /** What stands on the core: see `around`. */
  layers: Layers
  log: Log
  db: Db
  dialect: Database['dialect']
  locks: Locks
  bus: Bus
  copyOut: CopyOut
  connectAlone: Database['connectAlone']
  /** Null without replicas. */
  replicas: Replicas | null
  /** Where this reads from a replica: the dependencies of the primary, for what is written meanwhile. */
  primary?: Deps
  /** Derive keys from it with `deriveKey`. */
  secret: AppSecret
  /** An encoded Argon2id hash; its cost is decided when the process is composed. */
  hashPassword: (password: string) => Promise<string>
  storage: Storages
  /** Servers on the internet whose files users name by their addresses. */
  remote: Remote
  /** Null: mails stay in the outbox. */
  mail: MailProvider | null
}
