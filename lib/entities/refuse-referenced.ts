import { databaseError } from '@/lib/db/errors'
import { AppError } from '@/lib/errors'
import type { Deps } from '@/lib/runtime'
import type { Entity } from './definition'
import { listEntities } from './registry'

/**
 * After a deletion that failed: throws `conflict` about the records that refer to what would go, and
 * anything else that was thrown as it is.
 */
export async function refuseReferenced(deps: Deps, entity: Entity, error: unknown): Promise<never> {
  const fault = databaseError(error)
  if (fault?.code !== '23503') throw error
  const table = /from table "([^"]+)"/.exec(fault.detail ?? '')?.[1]
  const others = (await listEntities(deps)).find((other) => other.table.name === table)
  const who = others ? `Records of "${others.name}"` : 'Other records'
  throw new AppError(
    'conflict',
    `${who} refer to records of "${entity.name}" that would go; delete those first. Nothing was deleted`,
    { cause: error },
  )
}
