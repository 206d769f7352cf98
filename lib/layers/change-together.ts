import type { Layer } from '@/lib/around'
import { rows } from '@/lib/db/sql'
import { writeTogether } from '@/lib/db/write-together'
import type { Deps } from '@/lib/deps'
import { type ChangedRow, signed } from '@/lib/records/change-once'
import { changeStatement } from '@/lib/records/change-statement'
import type { RecordToChange } from '@/lib/records/points'

/**
 * Changes a record by one statement together with those of other requests that change the same fields of other records for the same actor at
 * the same time. It is changed alone when nothing else was waiting, when others have locked it, or one of the group was at fault.
 */
export const changeTogether: Layer = {
  name: 'change-together',
  around: {
    changeOnce: async (deps, record, next) => (await changeShared(deps, record)) ?? next(deps),
  },
}

/** Returns the new state as JSON text; null when nothing was written. Throws when it is not known whether it was written. */
async function changeShared(
  deps: Deps,
  { entity, plan, input }: RecordToChange,
): Promise<string | null> {
  if (plan.etags !== null || entity.version === undefined) return null
  const { id, requestId, actor } = input
  const shape = { ...plan.shape, isShared: true }
  const kind = ['change', entity.name, entity.version, shape, actor.type, actor.id, actor.address]
  return writeTogether(deps, kind, { json: plan.json, requestId, id }, async (items) => {
    const list = `[${items.map(({ json }) => json).join(',')}]`
    const statement = changeStatement(entity, shape).with({ rows: list, ...signed(entity, actor) })
    const outcomes = items.map((): string | null => null)
    for (const { at, json } of await rows<ChangedRow>(deps.db, statement)) outcomes[at - 1] = json
    return outcomes
  })
}
