import type { SQL } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { databaseError } from '@/lib/db/errors'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { listEntities } from '@/lib/registry/registry'
import { describeBlockers, referringRecords } from './referring-records'

type Deletion = { entity: Entity; where: SQL; actor: Actor }

/**
 * After a deletion that failed and was rolled back: throws `conflict` about the records that refer to
 * those to be deleted, with `meta.blockedBy`; rethrows any other error.
 */
export async function refuseReferenced(
  deps: Deps,
  deletion: Deletion,
  error: unknown,
): Promise<never> {
  if (databaseError(error)?.code !== '23503') throw error
  const entities = await listEntities(deps)
  const blockedBy = await referringRecords(deps.db, { ...deletion, entities })
  // They may be gone by now.
  const who = blockedBy.length > 0 ? describeBlockers(blockedBy) : 'Other records'
  throw new AppError(
    'conflict',
    `${who} refer to records of "${deletion.entity.name}" that would go; delete those first. Nothing was deleted`,
    { cause: error, meta: { blockedBy } },
  )
}
