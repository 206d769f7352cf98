import { around } from '@/lib/around'
import { type Actor, can } from '@/lib/auth/rights'
import type { Entity, InsertDuplicate } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { responseFor } from '@/lib/registry/may-read'
import { listEntities, withCurrentEntity } from '@/lib/registry/registry'
import { checkRecords } from '@/lib/rows/prepare-records'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import type { Json } from '@/lib/values/json'
import { checkSentRecords } from './check-written-fields'
import { insertInSteps } from './insert-in-steps'
import { type Insertion, insertOnce, planInsert, type WrittenRecords } from './insert-once'
import type { InsertRules } from './insert-under-rule'
import { bringsLists } from './nested/sent-children'
import { takeNested } from './nested/take-nested'
import { forcedValues } from './rule/forced-values'
import { writeRule } from './write-rule'

export type CreateRecords = {
  entityName: string
  records: readonly Json[]
  naming: Insertion['naming']
  actor: Actor
  requestId: string
}

/**
 * Stores records, all or none. On a taken key the record fails, overwrites or is skipped, by the
 * definition's `insertDuplicate`; overwriting requires the right to update. Throws `invalid_input` and
 * `conflict` that name every bad record, `forbidden` when the definition forbids writing.
 */
export const createRecords = (deps: Deps, input: CreateRecords): Promise<WrittenRecords> =>
  withCurrentEntity(deps, input.entityName, 'write', async (entity) => {
    const { naming, actor, requestId } = input
    const entities = await listEntities(deps)
    const sender = { naming, actor, entities, isNew: true }
    const { records, ...further } = takeNested(entity, input.records, sender)
    const onDuplicate = duplicateRule(actor, entity, bringsLists(further))
    const insertion = { naming, actor, requestId, onDuplicate }
    const rules = await insertRules(deps, actor, entity, onDuplicate)
    const rows = rules
      ? await sentRows(rules, entity, { ...input, records })
      : await checkRecords(entity, records, 'insert', naming)
    const isPlain = !rules && !bringsLists(further)
    const plan = isPlain ? await planInsert(entity, rows, insertion.onDuplicate) : null
    if (!plan) return insertInSteps(deps, entity, rows, insertion, { rules, entities, ...further })
    const data = await around(deps, 'insertOnce', { entity, plan, insertion }, (used) =>
      insertOnce(used, entity, plan, insertion),
    )
    const counts = { created: rows.length, updated: 0, unchanged: 0, failed: 0 }
    return { data: responseFor(actor, entity, data), counts }
  })

/** Null where none makes a difference between records. */
async function insertRules(
  deps: Deps,
  actor: Actor,
  entity: Entity,
  onDuplicate: InsertDuplicate,
): Promise<InsertRules | null> {
  const write = await writeRule(deps, actor, entity, 'write')
  const update = onDuplicate === 'Upsert' ? await writeRule(deps, actor, entity, 'update') : null
  return write || update ? { write, update } : null
}

async function sentRows(
  { write }: InsertRules,
  entity: Entity,
  { records, naming }: CreateRecords,
): Promise<PreparedRow[]> {
  const forced = write && (await forcedValues(write))
  return checkSentRecords(write, entity, records, 'insert', naming, forced)
}

/**
 * The definition's `insertDuplicate`; without the right to update, a taken key is a conflict. So is one that would be
 * ignored together with its lists.
 */
function duplicateRule(
  actor: Actor,
  { name, definition }: Entity,
  hasLists: boolean,
): InsertDuplicate {
  const { insertDuplicate, permissions } = definition
  if (insertDuplicate === 'Ignore' && hasLists) return 'Error'
  const mayOverwrite = permissions.update && can(actor, { entity: name, action: 'update' })
  return insertDuplicate === 'Upsert' && !mayOverwrite ? 'Error' : insertDuplicate
}
