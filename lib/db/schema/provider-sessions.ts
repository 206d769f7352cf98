import { text, uuid } from 'drizzle-orm/pg-core'
import { engine, instant } from './engine'
import { sessions } from './users'

/** Sessions that began by a provider, and which it has to confirm: see `OIDC_RECHECK`. */
export const providerSessions = engine.table('provider_sessions', {
  /** To which the encrypted token is tied. */
  id: uuid('id').primaryKey(),
  sessionId: uuid('session_id')
    .notNull()
    .unique()
    .references(() => sessions.id, { onDelete: 'cascade' }),
  /** Its name in the settings. */
  provider: text('provider').notNull(),
  /** Encrypted; null where the provider gave none, so that the session ends. */
  refreshToken: text('refresh_token'),
  /** From then on the provider is asked again. */
  checkAt: instant('check_at').notNull(),
  /** From then on the session is refused, unless the provider has confirmed it. */
  endsAt: instant('ends_at').notNull(),
})
