import { added } from '@/lib/around'
import { auditJson } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { rows as rowsOf } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { replacingDefaults } from '@/lib/rows/compiled-entity'
import { explainConflicts, isRowConflict } from '@/lib/rows/conflicts'
import { newExtraFieldsOf } from '@/lib/rows/extra-fields'
import { type PreparedRow, partialEncoder, presenceOf, wholeEncoder } from '@/lib/rows/prepared-row'
import { requestedRow } from '@/lib/rows/record-columns'
import { requireNoConflicts } from '@/lib/rows/record-faults'
import {
  type ChangeRecord,
  type PreparedChange,
  prepareChange,
  strategyOf,
} from './change/prepare-change'
import { type ChangeShape, changeStatement } from './change-statement'
import { etagsIn } from './preconditions'
import { simpleKey } from './simple-key'

/** How one statement changes a record: the JSON row, and what its text depends on besides the entity. */
export type ChangePlan = {
  row: PreparedRow
  json: string
  /** The versions of which one must be the record's; null: any. */
  etags: string[] | null
  shape: ChangeShape
}

/**
 * Null when one statement doesn't do: for keys that are not simple, entities on the nodes of a cluster, faulty input, undeclared
 * fields that are new, and changes without fields.
 */
export async function planChange(
  deps: Deps,
  entity: Entity,
  input: ChangeRecord,
): Promise<ChangePlan | null> {
  const { id, actor, requestId, manner } = input
  // Nodes of a cluster don't share a statement that also writes to the audit log.
  const prepared = entity.isDistributed ? null : await prepareSimple(entity, input)
  if (!prepared || (await newExtraFieldsOf(entity, [prepared.row])).length > 0) return null
  const { row, removed } = prepared
  const presence = await presenceOf(entity, [row])
  const strategy = strategyOf(entity, manner)
  if (isNothing(entity, presence, removed) && strategy !== 'Replace') return null
  const encoder =
    strategy === 'Replace' ? wholeEncoder(replacingDefaults(entity)) : partialEncoder([])
  const recorders = added(deps, 'changeRecorders').filter((one) => one.records(actor, entity))
  const etags = etagsIn(input.ifMatch)
  const shape = { strategy, presence, removed, recorders, isMatched: etags !== null }
  const json = requestedRow(encoder(row), id, requestId)
  return { row, json, etags, shape: { ...shape, isShared: false } }
}

const isNothing = (
  { keys }: Entity,
  { every, extra }: ChangeShape['presence'],
  removed: string[],
): boolean => !extra && removed.length === 0 && every.every((name) => keys.includes(name))

/**
 * Changes one record by one statement, which is a transaction of its own. Returns the new state as JSON text; null, with nothing
 * written, when `changeInSteps` has to do it: there is no such record, it has another version than
 * `If-Match` names, others change it at the same time, or its definition is
 * another one. Throws `conflict`.
 */
export async function changeOnce(
  { db }: Deps,
  entity: Entity,
  { row, json, etags, shape }: ChangePlan,
  actor: Actor,
): Promise<string | null> {
  try {
    const statement = changeStatement(entity, shape).with({
      rows: json,
      ...signed(entity, actor),
      etags: JSON.stringify(etags),
    })
    const [found] = await rowsOf<ChangedRow>(db, statement)
    return found?.json ?? null
  } catch (error) {
    if (!isRowConflict(error)) throw error
    requireNoConflicts(await explainConflicts(db, entity, [row], 'Update', error), 'single')
    throw error
  }
}

export type ChangedRow = { at: number; json: string | null }

/** Who changes records and when, as values of the statement. */
export const signed = ({ name }: Entity, actor: Actor) => ({
  audit: auditJson(actor, { action: 'records.update', objectType: name }),
  at: new Date().toISOString(),
  by: actor.name,
})

/** Null for faults: whether the record exists is the first question. */
async function prepareSimple(entity: Entity, input: ChangeRecord): Promise<PreparedChange | null> {
  const keys = simpleKey(entity, input.id)
  if (!keys) return null
  try {
    return await prepareChange(entity, keys, input)
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_input') return null
    throw error
  }
}
