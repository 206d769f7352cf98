import { eq, sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { ownedBy, ownerOf } from '@/lib/auth/owner'
import type { Actor } from '@/lib/auth/rights'
import { apiKeys, backgroundExports, users } from '@/lib/db/schema'
import { type Db, one } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { BackgroundExport, ExportBody, ExportQuery } from './contract'
import { resolveExport } from './export-records'
import { afterDays } from './jobs/store'
import { toBackgroundExport } from './own-exports'
import { startExports } from './start-exports'

/** Files of one user, or of a key with roles of its own, those that are being prepared included. */
const MAX_EXPORTS = 10

type Request = ExportQuery & {
  entityName: string
  body: ExportBody
  actor: Actor
  requestId: string
}

/**
 * Prepares a file in the background. Throws as a search does for what is wrong with the body, and
 * `conflict` for whoever has `MAX_EXPORTS` already.
 */
export async function createExport(deps: Deps, request: Request): Promise<BackgroundExport> {
  const { body, actor, requestId, format, bom } = request
  const { target } = await resolveExport(deps, request.entityName, body, actor)
  const row = await deps.db.transaction(async (tx) => {
    await requireRoom(tx, actor)
    const values = {
      ...{
        ...ownerOf(actor),
        scopes: actor.scopes && [...actor.scopes],
        createdBy: actor.name,
      },
      ...{ entity: target.name, format, bom, body: JSON.stringify(body), expiresAt: afterDays },
    }
    const added = one(await tx.insert(backgroundExports).values(values).returning())
    await recordAudit(tx, actor, {
      ...{ action: 'exports.create', objectType: target.name, requestId },
      details: { export: added.id, format },
    })
    return added
  })
  void startExports(deps)
  return toBackgroundExport(row)
}

async function requireRoom(tx: Db, actor: Actor): Promise<void> {
  // One after the other, so that two requests at the same time do not both find room.
  const owners = actor.userId === null ? apiKeys : users
  const isOwner = eq(owners.id, actor.userId ?? actor.id)
  await tx.select({ id: owners.id }).from(owners).where(isOwner).for('no key update')
  const [found] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(backgroundExports)
    .where(ownedBy(backgroundExports, actor))
  if ((found?.count ?? 0) < MAX_EXPORTS) return
  throw new AppError(
    'conflict',
    `You have ${MAX_EXPORTS} exports already; delete one that you no longer need and try again`,
  )
}
