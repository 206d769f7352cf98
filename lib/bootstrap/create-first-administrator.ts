import { sql } from 'drizzle-orm'
import { type AuditActor, recordAudit } from '@/lib/audit/record-audit'
import { describeApiKey } from '@/lib/auth/api-key'
import { hasAdminRole } from '@/lib/auth/has-admin-role'
import { isUniqueViolation } from '@/lib/db/errors'
import { SERVER_LOCKS } from '@/lib/db/locks'
import { apiKeys, users } from '@/lib/db/schema'
import { type Db, one } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'

type NewAdministrator = {
  email: string
  password: string
  /** A key of theirs with all their rights; only its prefix and hash are stored. */
  apiKey?: string
}

/** The server itself, unless a person sets it up in the console. */
type Caller = { actor: AuditActor; requestId?: string }

/**
 * Creates an active administrator if there is none, not even a disabled one. Returns the id of the
 * new user, or null when there is one: of any number of callers, on any instances, one succeeds.
 * Throws a unique violation when the email is taken by a user who is no administrator.
 */
export async function createFirstAdministrator(
  { db, hashPassword }: Pick<Deps, 'db' | 'hashPassword'>,
  { email, password, apiKey }: NewAdministrator,
  { actor, requestId }: Caller = { actor: { type: 'system' } },
): Promise<string | null> {
  const passwordHash = await hashPassword(password)
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${SERVER_LOCKS.firstAdministrator})`)
    if (await hasAdministrator(tx)) return null
    const { id } = one(await tx.insert(users).values(activeAdmin(email, passwordHash)).returning())
    if (apiKey) {
      const { prefix, hash } = describeApiKey(apiKey)
      await tx.insert(apiKeys).values({ name: 'First key', prefix, hash, ownerId: id })
    }
    await recordAudit(tx, actor, {
      action: 'users.create',
      objectType: 'user',
      objectId: id,
      details: { email: email.trim(), roles: ['ADMIN'], firstKey: apiKey !== undefined },
      requestId,
    })
    return id
  })
}

export async function hasAdministrator(db: Db): Promise<boolean> {
  const found = await db.select({ id: users.id }).from(users).where(hasAdminRole).limit(1)
  return found.length > 0
}

const withAdministrator = new WeakSet<Db>()

/**
 * As `hasAdministrator`, for public pages: queries the database until there is one, which stays
 * true, since the last administrator can't be deleted.
 */
export async function isSetUp(db: Db): Promise<boolean> {
  if (withAdministrator.has(db)) return true
  const found = await hasAdministrator(db)
  if (found) withAdministrator.add(db)
  return found
}

const activeAdmin = (email: string, passwordHash: string) => ({
  email: email.trim(),
  passwordHash,
  roles: ['ADMIN'],
  status: 'ACTIVATED' as const,
  activatedAt: new Date(),
})

/**
 * Creates the administrator and key of the environment while there is no administrator; later the
 * settings have no effect, so that a revoked key or an old password never becomes valid again.
 * Throws when the settings can't be applied.
 */
export async function bootstrap(deps: Deps): Promise<void> {
  const { db, log, settings } = deps
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password, BOOTSTRAP_API_KEY: apiKey } = settings
  if (!email && !password && !apiKey) return
  if (await hasAdministrator(db)) return
  if (!email || !password) throw new Error(INCOMPLETE)
  try {
    const id = await createFirstAdministrator(deps, { email, password, apiKey })
    if (id) log.info({ userId: id }, 'first administrator created')
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Error('ADMIN_EMAIL belongs to a user who is not an administrator', { cause: error })
  }
}

const INCOMPLETE =
  'There is no administrator yet: set both ADMIN_EMAIL and ADMIN_PASSWORD, or none of them and no BOOTSTRAP_API_KEY'
