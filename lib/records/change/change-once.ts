import { added } from '@/lib/around'
import { auditJson } from '@/lib/audit/record-audit'
import { rows as rowsOf } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { isTextKind, isWholeKind } from '@/lib/kinds/kind'
import { StaleDefinitionError } from '@/lib/registry/definition-version'
import { replacingDefaults } from '@/lib/rows/compiled-entity'
import { explainConflicts, isRowConflict } from '@/lib/rows/conflicts'
import { newExtraFieldsOf } from '@/lib/rows/extra-fields'
import { partialEncoder, presenceOf, wholeEncoder } from '@/lib/rows/prepared-row'
import { requireNoConflicts } from '@/lib/rows/record-faults'
import { etagOf } from '@/lib/rows/select-records'
import type { JsonObject } from '@/lib/values/json'
import { describeChange } from '../audit-details'
import { requireMatch } from '../preconditions'
import { recordNotFound } from '../record-where'
import {
  type ChangeShape,
  changeStatement,
  type Preview,
  previewStatement,
  unchangedStatement,
} from './change-statements'
import { type ChangeRecord, type PreparedChange, prepareChange, strategyOf } from './prepare-change'

/**
 * Changes one record by two statements without a transaction around them: one that shows what the
 * change would do, for the audit log, and one that does it if the row is still the same. Returns the
 * new state as JSON text; null, with nothing written, when `changeInSteps` has to do it: for keys that
 * are not simple, entities on the nodes of a cluster, faulty input, undeclared fields that are new, and when others change the record at
 * the same time. Throws `not_found`, `precondition_failed`, `conflict` and `StaleDefinitionError`.
 */
export async function changeOnce(
  deps: Deps,
  entity: Entity,
  input: ChangeRecord,
): Promise<string | null> {
  const { db } = deps
  const { id, actor, requestId, ifMatch } = input
  // Nodes of a cluster don't share a statement that also writes to the audit log.
  const prepared = entity.isDistributed ? null : await prepareSimple(entity, input)
  if (!prepared || (await newExtraFieldsOf(entity, [prepared.row])).length > 0) return null
  const { row } = prepared
  const recorders = added(deps, 'changeRecorders').filter((one) => one.records(actor, entity))
  const shape = { ...(await shapeOf(entity, prepared, input)), recorders }
  const at = new Date().toISOString()
  const values = { row: encode(entity, shape, prepared), id, at, by: actor.name }
  const [found] = await rowsOf<Preview>(db, previewStatement(entity, shape).with(values))
  if (!found) throw recordNotFound(entity.name, id)
  const { before, version } = found
  requireMatch(ifMatch, etagOf(before))
  const after = found.differs ? found.after : before
  const audit = auditJson(actor, {
    ...{ action: 'records.update', objectType: entity.name, objectId: id, requestId },
    details: describeChange(before, after),
  })
  if (!found.differs) {
    const recorded = await rowsOf(db, unchangedStatement(entity).with({ audit }))
    if (recorded.length === 0) throw new StaleDefinitionError()
    return before
  }
  try {
    const change = changeStatement(entity, shape).with({ ...values, version, audit })
    return (await rowsOf<{ json: string }>(db, change))[0]?.json ?? null
  } catch (error) {
    if (!isRowConflict(error)) throw error
    requireNoConflicts(await explainConflicts(db, entity, [row], 'Update', error), 'single')
    throw error
  }
}

/** Null for faults: whether the record exists is the first question. */
async function prepareSimple(entity: Entity, input: ChangeRecord): Promise<PreparedChange | null> {
  const keys = keysOf(entity, input.id)
  if (!keys) return null
  try {
    return await prepareChange(entity, keys, input)
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_input') return null
    throw error
  }
}

/** The key that an id names, where that is plain; otherwise null. */
function keysOf({ keys, properties }: Entity, id: string): JsonObject | null {
  const [only] = keys
  const kind = properties.find(({ name }) => name === only)?.kind
  if (only === undefined || kind === undefined || keys.length > 1) return null
  if (isTextKind(kind)) return { [only]: id }
  if (!isWholeKind(kind)) return null
  const number = Number(id)
  return Number.isSafeInteger(number) && String(number) === id ? { [only]: number } : null
}

async function shapeOf(
  entity: Entity,
  { row, removed }: PreparedChange,
  { manner }: ChangeRecord,
): Promise<Omit<ChangeShape, 'recorders'>> {
  return {
    strategy: strategyOf(entity, manner),
    presence: await presenceOf(entity, [row]),
    removed,
  }
}

function encode(
  entity: Entity,
  { strategy }: Pick<ChangeShape, 'strategy'>,
  { row }: PreparedChange,
): string {
  const encoder =
    strategy === 'Replace' ? wholeEncoder(replacingDefaults(entity)) : partialEncoder([])
  return encoder(row)
}
