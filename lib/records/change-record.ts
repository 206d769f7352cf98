import { type SQL, sql } from 'drizzle-orm'
import { added, around } from '@/lib/around'
import { auditJson, insertAudit } from '@/lib/audit/record-audit'
import { type Db, one, rows, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { requireCurrent } from '@/lib/registry/definition-version'
import { mayRead, requireRead, responseFor } from '@/lib/registry/may-read'
import { listEntities, registryChanged, withCurrentEntity } from '@/lib/registry/registry'
import { targetOf } from '@/lib/registry/target'
import { bringsComputed, withoutStoredValues } from '@/lib/rows/computed-values'
import { requireNoConflicts } from '@/lib/rows/record-faults'
import { etagOf, type StoredRecord, selectRecord } from '@/lib/rows/select-records'
import { updateRecords } from '@/lib/rows/update-records'
import { idSql } from '@/lib/search/record-json'
import { type Json, type JsonObject, parseJson } from '@/lib/values/json'
import { changeDetails } from './change/change-details'
import { type ChangeRecord, prepareChange, strategyOf } from './change/prepare-change'
import { changeOnce, planChange } from './change-once'
import { viewOf } from './entity-view'
import type { NestedWriting } from './nested/nested-writing'
import { bringsLists } from './nested/sent-children'
import { takeNested } from './nested/take-nested'
import { takeTurns, writeNested } from './nested/write-nested'
import type { ChangeRecorder } from './points'
import { requireMatch } from './preconditions'
import { recordNotFound, recordWhere } from './record-where'
import { shownWhere } from './rows-that-may'
import { readShown } from './shown-records'
import { updateUnderRule } from './update-under-rule'
import { type WriteRule, writeRule } from './write-rule'

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
  const { actor } = input
  return withCurrentEntity(deps, input.entityName, 'update', async (entity) => {
    // A version covers the whole record, so a caller who compares versions can guess values.
    if (input.ifMatch !== null) requireRead(actor, entity, 'If-Match')
    const rule = await writeRule(deps, actor, entity, 'update')
    const entities = await listEntities(deps)
    const sender = { naming: 'single', actor, entities, isNew: false } as const
    const { records, ...further } = takeNested(entity, [input.record], sender)
    const asked = { ...input, record: records[0] ?? input.record }
    const isPlain = !rule && !bringsLists(further)
    const plan = isPlain ? await planChange(deps, entity, asked) : null
    const once =
      plan &&
      (await around(deps, 'changeOnce', { entity, plan, input }, (used) =>
        changeOnce(used, entity, plan, actor),
      ))
    const { requestId } = input
    const writing = { layers: deps.layers, entity, actor, requestId, entities, ...further }
    const json = once ?? (await changeInSteps(deps, writing, asked, rule))
    if (json === null) return { data: JSON.stringify([{ persistenceId: input.id }]), etag: null }
    const etag = mayRead(actor, entity) ? etagOf(json) : null
    return { data: responseFor(actor, entity, `[${json}]`), etag }
  })
}

/** With the record locked from the beginning: the way for every change, and for its errors. */
async function changeInSteps(
  deps: Deps,
  writing: NestedWriting,
  input: ChangeRecord,
  rule: WriteRule | null,
): Promise<string | null> {
  const { entity } = writing
  const { id, actor, requestId, ifMatch, manner } = input
  const target = targetOf(entity)
  const where = recordWhere(target, id)
  const recorders = added(deps, 'changeRecorders').filter((one) => one.records(actor, entity))
  const { json, newExtraFields } = await deps.db.transaction(async (tx) => {
    await takeTurns(tx, writing)
    await requireCurrent(tx, entity)
    const stored = await selectRecord(tx, target, shownWhere(rule, where), { lock: true })
    if (!stored) throw recordNotFound(entity.name, id)
    const seen = rule ? await readShown(tx, rule, where) : stored.json
    if (seen === null && rule?.visible) throw recordNotFound(entity.name, id)
    if (seen !== null) requireMatch(ifMatch, etagOf(seen))
    const record = settableFields(rule ? viewOf(rule) : entity, input, seen)
    const keys = storedKeys(entity, stored)
    const { row, removed } = await prepareChange(entity, keys, { record, manner }, rule)
    const before = recorders.length > 0 ? await rowText(tx, entity, where) : null
    const strategy = strategyOf(entity, manner)
    const options = { strategy, removed, actorName: actor.name, now: new Date() }
    const { conflicts, newExtraFields } = rule
      ? await updateUnderRule(tx, rule, [row], { ...options, naming: 'single' })
      : await updateRecords(tx, entity, [row], options)
    if (conflicts) requireNoConflicts(conflicts, 'single')
    const names = await writeNested(tx, writing, [row], [row])
    const changed = await selectRecord(tx, target, where, { lock: false })
    if (!changed) throw recordNotFound(entity.name, id)
    if (before !== null && changed.json !== stored.json)
      await recordStates(tx, entity, recorders, [before, await rowText(tx, entity, where)])
    const audit = { action: 'records.update', objectType: entity.name, objectId: id, requestId }
    await tx.execute(insertAudit(...detailed(auditJson(actor, audit), stored.json, changed.json)))
    const shown = rule ? await readShown(tx, rule, where) : changed.json
    return { json: shown, newExtraFields: [...newExtraFields, ...names] }
  })
  if (newExtraFields.length > 0) await registryChanged(deps)
  return json
}

/** The row of a record as JSON text. */
async function rowText(tx: Db, { table }: Entity, where: SQL): Promise<string> {
  const query = sql`select to_jsonb(t.*)::text as "row" from (select * from ${tableSql(table)} where ${where}) as t`
  return one(await rows<{ row: string }>(tx, query)).row
}

/** What `insertAudit` takes to record a change between two states of a record. */
const detailed = (entry: string, before: string, after: string) =>
  [
    sql`${entry}`,
    sql`(select 1) as one`,
    { details: changeDetails(sql`${before}::text::jsonb`, sql`${after}::text::jsonb`) },
  ] as const

async function recordStates(
  tx: Db,
  entity: Entity,
  recorders: readonly ChangeRecorder[],
  [before, after]: [before: string, after: string],
): Promise<void> {
  const row = sql`jsonb_populate_record(null::${tableSql(entity.table)}, ${after}::jsonb) as "$row"`
  const id = sql`select ${idSql(targetOf(entity))} from ${row}`
  const changes = sql`select (${id}), ${before}::jsonb, ${after}::jsonb`
  for (const recorder of recorders)
    for (const statement of recorder.statements(entity, changes)) await tx.execute(statement)
}

/** Who may not read the record could guess values that are compared. */
function settableFields(
  entity: Entity,
  { actor, record }: ChangeRecord,
  json: string | null,
): JsonObject {
  if (json === null || !bringsComputed(entity, record) || !mayRead(actor, entity)) return record
  return withoutStoredValues(entity, record, parseJson(json, { exactly: true }) as JsonObject)
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
