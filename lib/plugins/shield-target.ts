import { sql } from 'drizzle-orm'
import type { Db } from '@/lib/db/types'
import { mergeEntity } from '@/lib/entities/merge-entity'
import { shieldCounters } from '@/lib/entities/records/shield-counters'
import { entitiesNamed } from '@/lib/entities/registry-rows'
import type { PlannedFile } from './install-plan'
import { lockForWriting } from './lock-for-writing'

/**
 * Keeps the counters of a data file's entity from what a dry run takes. In the transaction of the dry
 * run itself, not in the file's: a file that fails has used up its numbers in an install too.
 */
export async function shieldTarget(tx: Db, file: PlannedFile, waitMs: number): Promise<void> {
  if (file.failure || file.kind !== 'data') return
  const [found] = await entitiesNamed(tx, [file.target ?? ''])
  if (!found) return
  const entity = mergeEntity(found.row, found.schema)
  await tx.execute(sql`set local lock_timeout = ${sql.raw(String(waitMs))}`)
  if (await lockForWriting(tx, entity.table)) await shieldCounters(tx, entity)
}
