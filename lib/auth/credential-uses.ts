import { type SQL, sql } from 'drizzle-orm'
import { withOwnBudget } from '@/lib/db/budget'
import { reasonOf } from '@/lib/db/errors'
import { apiKeys, sessions } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'

type Source = Pick<Deps, 'db' | 'log'>
type Kind = 'keys' | 'sessions'
type Uses = Map<string, number>
type Pending = { uses: Record<Kind, Uses>; timer: NodeJS.Timeout | null }

const WRITE_EVERY_MS = 3_000
const WRITE_MS = 5_000

// On `globalThis`: each route is a bundle with a copy of this module. By database, for tests' sake.
const shared = globalThis as typeof globalThis & {
  __engineCredentialUses?: WeakMap<object, Pending>
}
shared.__engineCredentialUses ??= new WeakMap()
const pendingOf = shared.__engineCredentialUses

/** Notes that a key or session is used now. Written with the uses of others within some seconds. */
export function recordUse(deps: Source, kind: Kind, id: string): void {
  const pending = pendingOf.get(deps.db) ?? {
    uses: { keys: new Map(), sessions: new Map() },
    timer: null,
  }
  pendingOf.set(deps.db, pending)
  pending.uses[kind].set(id, Date.now())
  pending.timer ??= setTimeout(() => void writeUses(deps), WRITE_EVERY_MS).unref()
}

/**
 * Writes the noted uses, by one statement for each kind. Never throws and doesn't repeat what failed: a
 * read-only database can still be read, and the next use is noted again.
 */
export async function writeUses(deps: Source): Promise<void> {
  const pending = pendingOf.get(deps.db)
  if (!pending) return
  if (pending.timer) clearTimeout(pending.timer)
  pending.timer = null
  await write(deps, pending.uses.keys, usesOfKeys)
  await write(deps, pending.uses.sessions, usesOfSessions)
}

async function write({ db, log }: Source, noted: Uses, statement: (rows: SQL) => SQL) {
  const uses = [...noted].map(([id, usedAt]) => ({ id, usedAt: new Date(usedAt) }))
  noted.clear()
  if (uses.length === 0) return
  const rows = sql`json_to_recordset(${JSON.stringify(uses)}::text::json) as noted(id uuid, "usedAt" timestamptz)`
  await withOwnBudget({ ms: WRITE_MS }, () => db.execute(statement(rows))).catch((error) =>
    log.debug({ count: uses.length, error: reasonOf(error) }, 'uses of credentials not noted'),
  )
}

const usesOfKeys = (noted: SQL) =>
  sql`update ${apiKeys} set last_used_at = noted."usedAt" from ${noted}
    where ${apiKeys.id} = noted.id
      and (${apiKeys.lastUsedAt} is null or ${apiKeys.lastUsedAt} < noted."usedAt")`

/** A console asks every few seconds, so once a minute is enough. */
const usesOfSessions = (noted: SQL) =>
  sql`update ${sessions} set last_seen_at = noted."usedAt" from ${noted}
    where ${sessions.id} = noted.id and ${sessions.lastSeenAt} < noted."usedAt" - interval '1 minute'`
