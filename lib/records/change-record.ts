import { isDeepStrictEqual } from 'node:util'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { one } from '@/lib/db/rows'
import type { Entity, UpdateStrategy } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { mayRead, requireRead } from '@/lib/registry/may-read'
import { registryChanged } from '@/lib/registry/registry'
import { targetOf } from '@/lib/registry/target'
import { type Json, type JsonObject, parseJson } from '@/lib/values/json'
import { prepareRecords } from './prepare-records'
import type { PreparedRow } from './prepared-row'
import { requireNoConflicts, requireNoFaults } from './record-failures'
import { showable } from './record-faults'
import { canonicalText } from './record-key'
import { responseFor } from './record-response'
import { recordNotFound, recordWhere } from './record-where'
import { requireMatch } from './require-match'
import { etagOf, type StoredRecord, selectRecord } from './select-records'
import { updateRecords } from './update-records'
import { writableEntity } from './writable-entity'

export type ChangeRecord = {
  entityName: string
  id: string
  /** The fields to change, or all; may include the key, unchanged. */
  record: JsonObject
  /**
   * `merge` changes the given fields and removes undeclared ones that are null; `byDefinition` follows
   * the entity's `updateStrategy`.
   */
  manner: 'merge' | 'byDefinition'
  /** The `If-Match` header. */
  ifMatch: string | null
  actor: Actor
  requestId: string
}

/**
 * Changes one record and returns its new state. Throws `not_found`, `precondition_failed` when it is
 * not the version that `ifMatch` names, `invalid_input` for bad fields or another key, `conflict` for
 * taken unique values, `forbidden` when the definition forbids changes. A caller without the right to
 * read gets the id alone and no `etag`.
 */
export async function changeRecord(
  deps: Deps,
  input: ChangeRecord,
): Promise<{ data: string; etag: string | null }> {
  const { id, actor, requestId, ifMatch } = input
  const entity = await writableEntity(deps, input.entityName, 'update')
  // A version covers the whole record, so a caller who compares versions can guess values.
  if (ifMatch !== null) requireRead(actor, entity, 'If-Match')
  const target = targetOf(entity)
  const where = recordWhere(target, id)
  const strategy = input.manner === 'merge' ? 'Upsert' : entity.definition.updateStrategy
  const { json, newExtraFields } = await deps.db.transaction(async (tx) => {
    const stored = await selectRecord(tx, target, where, { lock: true })
    if (!stored) throw recordNotFound(entity.name, id)
    requireMatch(ifMatch, etagOf(stored.json))
    const row = await prepareChange(entity, stored, input.record, strategy)
    const removed = input.manner === 'merge' ? takeNulls(row) : []
    const options = { strategy, removed, actorName: actor.name, now: new Date() }
    const { conflicts, newExtraFields } = await updateRecords(tx, entity, [row], options)
    if (conflicts) requireNoConflicts(conflicts, 'single')
    const changed = await selectRecord(tx, target, where, { lock: false })
    if (!changed) throw recordNotFound(entity.name, id)
    const details = describeChange(stored.json, changed.json)
    const audit = { action: 'records.update', objectType: entity.name, objectId: id, details }
    await recordAudit(tx, actor, { ...audit, requestId })
    return { json: changed.json, newExtraFields }
  })
  if (newExtraFields.length > 0) await registryChanged(deps)
  const etag = mayRead(actor, entity) ? etagOf(json) : null
  return { data: responseFor(actor, entity, `[${json}]`), etag }
}

async function prepareChange(
  entity: Entity,
  stored: StoredRecord,
  record: JsonObject,
  strategy: UpdateStrategy,
): Promise<PreparedRow> {
  const keys = storedKeys(entity, stored)
  const mode = strategy === 'Replace' ? 'replace' : 'update'
  const { rows, faults, faultCount } = await prepareRecords(entity, [{ ...keys, ...record }], mode)
  requireNoFaults(faults, faultCount, 'single')
  const row = one(rows)
  const changed = entity.keys.filter((key) => {
    const property = entity.properties.find(({ name }) => name === key)
    const textOf = (value: Json | undefined) => property && canonicalText(property, value ?? null)
    return textOf(row.values[key]) !== textOf(keys[key])
  })
  if (changed.length === 0) return row
  const error = 'is the key and cannot be changed; it may be left out'
  throw new AppError('invalid_input', `${changed[0]}: ${error}`, {
    validations: changed.map((field) => ({ field, error })),
  })
}

/** Removes the undeclared fields that are null from `row`, and returns their names. */
function takeNulls(row: PreparedRow): string[] {
  const extra = Object.entries(row.extra ?? {})
  const removed = extra.filter(([, value]) => value === null).map(([name]) => name)
  if (row.extra) row.extra = Object.fromEntries(extra.filter(([, value]) => value !== null))
  return removed
}

/** The key as in records; integers beyond 2^53 as text, so that no digit is lost. */
function storedKeys({ keys }: Entity, { json, keys: texts }: StoredRecord): JsonObject {
  const record = JSON.parse(json) as JsonObject
  const pairs = keys.map((key, at): [string, Json] => {
    const value = record[key] ?? null
    const isExact = typeof value !== 'number' || String(value) === texts[at]
    return [key, isExact ? value : (texts[at] ?? null)]
  })
  return Object.fromEntries(pairs)
}

const MAX_FIELDS = 50

/** A change for the audit log: the fields that differ, before and after, shortened. */
function describeChange(before: string, after: string): JsonObject {
  const [old, now] = [parseRecord(before), parseRecord(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  const changed = names.filter((name) => !isDeepStrictEqual(old[name], now[name]))
  const entries = changed
    .slice(0, MAX_FIELDS)
    .map((name): [string, Json] => [
      name,
      { before: showable(old[name] ?? null), after: showable(now[name] ?? null) },
    ])
  const more = Math.max(0, changed.length - MAX_FIELDS)
  return { changed: Object.fromEntries(entries), ...(more > 0 && { more }) }
}

// Different large numbers may be equal as doubles.
const parseRecord = (text: string) => parseJson(text, { exactly: true }) as JsonObject
