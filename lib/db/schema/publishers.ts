import { text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { lower } from '@/lib/db/sql'
import { createdAt, engine, instant } from './engine'

/** Whose keys are trusted to sign plugins. */
export const publishers = engine.table(
  'publishers',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    name: text('name').notNull(),
    /** As minisign shows it. */
    keyId: text('key_id').notNull().unique(),
    /** The line of the `.pub` file. */
    publicKey: text('public_key').notNull(),
    /** From when on it is trusted no more; null: never. */
    expiresAt: instant('expires_at'),
    /** Email or key name at the time. */
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('publishers_name').on(lower(t.name))],
)
export type PublisherRow = typeof publishers.$inferSelect

/** Who signed an installed plugin, as it was trusted then. */
export type Signer = { publisher: string; keyId: string; publicKey: string }

/**
 * What was known of the signature of an archive. `unknown`: by a key that is not trusted here, so not verified; `expired`: by one that was;
 * `local`: the archive was made here from what is installed.
 */
export type InstallSignature = {
  state: 'valid' | 'expired' | 'unknown' | 'none' | 'local'
  publisher: string | null
  keyId: string | null
  /** What there is to say of it, where the server warns of signatures. */
  warning?: string
  /** An administrator accepted another key than the one before. */
  accepted?: boolean
}
