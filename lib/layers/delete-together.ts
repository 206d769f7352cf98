import type { Layer } from '@/lib/around'
import { rows } from '@/lib/db/sql'
import { writeTogether } from '@/lib/db/write-together'
import type { Deps } from '@/lib/deps'
import { deletedAudit, deleteStatement } from '@/lib/records/delete-once'
import type { RecordToDelete } from '@/lib/records/points'

/**
 * Deletes a record by one statement together with other records that requests of the same actor delete at the same time. It is deleted
 * alone when nothing else was waiting, when others have locked it, or one of the group was at fault.
 */
export const deleteTogether: Layer = {
  name: 'delete-together',
  around: {
    deleteOnce: async (deps, record, next) => (await deleteShared(deps, record)) || next(deps),
  },
}

/** Whether it was deleted. Throws when that is not known. */
async function deleteShared(deps: Deps, { entity, json, input }: RecordToDelete): Promise<boolean> {
  if (entity.version === undefined) return false
  const { id, requestId, actor } = input
  const kind = ['delete', entity.name, entity.version, actor.type, actor.id, actor.address]
  const outcome = await writeTogether(deps, kind, { json, requestId, id }, async (items) => {
    const statement = deleteStatement(entity, true).with({
      rows: `[${items.map((item) => item.json).join(',')}]`,
      audit: deletedAudit(actor, entity),
    })
    const outcomes = items.map((): string | null => null)
    for (const { at } of await rows<{ at: number }>(deps.db, statement)) outcomes[at - 1] = DELETED
    return outcomes
  })
  return outcome === DELETED
}

const DELETED = 'deleted'
