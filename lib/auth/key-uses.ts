import type { Deps } from '@/lib/deps'
import 'server-only'
import { sql } from 'drizzle-orm'
import { withOwnBudget } from '@/lib/db/budget'
import { reasonOf } from '@/lib/db/errors'
import { apiKeys } from '@/lib/db/schema'

type Source = Pick<Deps, 'db' | 'log'>
type Pending = { uses: Map<string, number>; timer: NodeJS.Timeout | null }

const WRITE_EVERY_MS = 3_000
const WRITE_MS = 5_000

// On `globalThis`: each route is a bundle with a copy of this module. By database, for tests' sake.
const shared = globalThis as typeof globalThis & { __engineKeyUses?: WeakMap<object, Pending> }
shared.__engineKeyUses ??= new WeakMap()
const pendingOf = shared.__engineKeyUses

/** Notes that a key is used now. Written with the uses of others within some seconds. */
export function noteKeyUse(deps: Source, id: string): void {
  const pending = pendingOf.get(deps.db) ?? { uses: new Map(), timer: null }
  pendingOf.set(deps.db, pending)
  pending.uses.set(id, Date.now())
  pending.timer ??= setTimeout(() => void writeKeyUses(deps), WRITE_EVERY_MS).unref()
}

/**
 * Writes the noted uses, all by one statement. Never throws and doesn't repeat what failed: a
 * read-only database can still be read, and the next use is noted again.
 */
export async function writeKeyUses({ db, log }: Source): Promise<void> {
  const pending = pendingOf.get(db)
  if (!pending) return
  if (pending.timer) clearTimeout(pending.timer)
  pending.timer = null
  const uses = [...pending.uses].map(([id, usedAt]) => ({ id, usedAt: new Date(usedAt) }))
  pending.uses.clear()
  if (uses.length === 0) return
  const noted = sql`json_to_recordset(${JSON.stringify(uses)}::text::json) as noted(id uuid, "usedAt" timestamptz)`
  const update = () =>
    db.execute(sql`update ${apiKeys} set last_used_at = noted."usedAt" from ${noted}
      where ${apiKeys.id} = noted.id
        and (${apiKeys.lastUsedAt} is null or ${apiKeys.lastUsedAt} < noted."usedAt")`)
  await withOwnBudget({ ms: WRITE_MS }, update).catch((error) =>
    log.debug({ keys: uses.length, error: reasonOf(error) }, 'uses of API keys not noted'),
  )
}
