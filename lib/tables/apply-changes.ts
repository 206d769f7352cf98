import type { Db } from '@/lib/db/sql'
import type { ArchivePosition } from './archive-position'
import { changeTables } from './change-tables'
import { type DefineOutcome, saveEntity } from './definition-transaction'
import { followTypes } from './follow-types'
import type { TableChange } from './plan-change'
import { followRecordKeys } from './renames/follow-record-keys'
import { followRenames } from './renames/follow-renames'
import { settlePending } from './settle-pending'

/**
 * Saves the changes of one definition and carries them out, with all that follows from them: names and types
 * in other definitions, foreign keys, keys of remembered records. Throws as `changeTables` does.
 */
export async function applyChanges(
  tx: Db,
  changes: readonly TableChange[],
  position: ArchivePosition | undefined,
): Promise<Pick<DefineOutcome, 'steps' | 'notes' | 'followed'>> {
  await settlePending(tx, { entities: changes.flatMap(namesOf) })
  for (const change of changes) await saveEntity(tx, change)
  const followed = await followRenames(tx, changes)
  const { changes: followers, former } = await followTypes(tx, changes, position?.schemas)
  await settlePending(tx, { entities: followers.flatMap(namesOf) })
  for (const change of [...changes, ...followers]) await followRecordKeys(tx, change)
  const { steps, notes } = await changeTables(tx, changes, { position, followers })
  return { steps, notes: [...followed, ...notes], followed: former }
}

const namesOf = ({ before, after }: TableChange): string[] => [
  after.name,
  ...(before ? [before.entity.name] : []),
]
