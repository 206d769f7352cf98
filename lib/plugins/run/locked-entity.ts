import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import type { PlannedFile } from '@/lib/plugins/plugin-file'
import { entityNamed, lockForWriting } from './data-entity'
import { NotInParts } from './not-in-parts'

/**
 * The entity of a data file, with its table locked as for writing: locked before it is read, so that the table is what
 * the definition says. Throws `NotInParts` when it was moved meanwhile or has no table, and `FileFailure` when it is not installed.
 */
export async function lockedEntity(tx: Db, file: PlannedFile): Promise<Entity> {
  const name = file.target ?? ''
  const before = await entityNamed(tx, name)
  const isLocked = await lockForWriting(tx, before)
  const entity = await entityNamed(tx, name)
  const isSame = isSameTable(entity, before)
  if (!isLocked || !isSame) throw new NotInParts({ isForRecords: false })
  return entity
}

const isSameTable = (one: Entity, other: Entity) =>
  one.table.schema === other.table.schema &&
  one.table.name === other.table.name &&
  one.isDistributed === other.isDistributed
