import { RECORD_ACTIONS } from '@/lib/auth/rights'
import type { EntityDefinition } from '@/lib/definitions/definition'

/** What a new definition changes for those who use the entity, without changing its table, in words. Pure. */
export function behaviourNotes(
  before: EntityDefinition | undefined,
  after: EntityDefinition,
): string[] {
  if (!before) return []
  const { name } = after
  const permissions = RECORD_ACTIONS.flatMap((action) => {
    if (before.permissions[action] === after.permissions[action]) return []
    return after.permissions[action]
      ? [`Permit the action "${action}" on the records of ${name}`]
      : [`No longer permit the action "${action}" on the records of ${name}`]
  })
  const settings = (['insertDuplicate', 'updateStrategy'] as const).flatMap((key) =>
    before[key] === after[key]
      ? []
      : [`Change ${key} of ${name} from ${before[key]} to ${after[key]}`],
  )
  return [...permissions, ...settings]
}
