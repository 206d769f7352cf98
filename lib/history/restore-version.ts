import { type Actor, requireRight } from '@/lib/auth/rights'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { changeRecord } from '@/lib/records/change-record'
import { createRecords } from '@/lib/records/create-records'
import { recordNotFound } from '@/lib/records/record-where'
import { requireRead } from '@/lib/registry/may-read'
import { findEntity, listEntities } from '@/lib/registry/registry'
import { etagOf, pick } from '@/lib/rows/select-records'
import { judgeStates, SHOWN, type Shown } from '@/lib/search/judge-states'
import { restrictedTarget } from '@/lib/search/restricted-target'
import { type Rule, ruleOf } from '@/lib/search/rule'
import type { Json, JsonObject } from '@/lib/values/json'
import { EARLIER } from './contract'
import { compareStates, type FieldChange, rowOf, type State, settable, stateOf } from './state'
import { findVersion, type PresentRow, presentRow, selectVersions } from './store'

export type RestoreVersion = {
  entityName: string
  id: string
  version: number
  /** The `If-Match` header. */
  ifMatch: string | null
  actor: Actor
  requestId: string
  /** Only says what would change. */
  dryRun: boolean
}

export type RestoredVersion = {
  /** The record as a list in JSON text; empty of a dry run. */
  data: string
  etag: string | null
  created: boolean
  /** Fields of the version that the entity no longer has. */
  leftOut: string[]
  /** From the state before to that of the version. */
  changes: FieldChange[]
}

/**
 * Gives a record the values that it had after a version; a deleted record comes back with its key. It is a
 * usual change or creation, with their checks and errors. Fields that were declared since keep their values. Throws
 * `forbidden` without the rights to read and to change (of a deleted record: to write), `not_found`, and
 * `precondition_failed` for a deleted record with `ifMatch`.
 */
export async function restoreVersion(deps: Deps, input: RestoreVersion): Promise<RestoredVersion> {
  const { actor, id, version } = input
  const entity = await findEntity(deps, input.entityName)
  requireRead(actor, entity, 'Restoring a version')
  const { db } = deps.primary ?? deps
  const installed = await listEntities(deps)
  const rule = ruleOf(actor, entity, 'read', installed)
  const present = await presentRow(db, restrictedTarget(entity, actor, installed), id)
  const found = await findVersion(db, entity, present?.id ?? id, version)
  if (version === EARLIER ? !found.next : !found.found) throw versionNotFound(entity, id, version)
  const row = rowOf(found, present?.row ?? null)
  if (row === null) throw versionNotFound(entity, id, version)
  const last = present?.row ?? (await lastRow(db, entity, id)) ?? row
  const [then = SHOWN, now = SHOWN] = await judgeStates(db, entity, rule, [row, last])
  if (!then.isVisible || !now.isVisible) throw versionNotFound(entity, id, version)
  if (!present) requireAllFields(rule)
  const state = stateOf(entity, row, then)
  const shown = { shows: (name: string) => then.shows(name) && now.shows(name) }
  const { record, changes } = planRestoration(entity, state, present?.row ?? null, shown)
  const told = { created: !present, leftOut: state.former, changes }
  requireRight(actor, { entity: entity.name, action: present ? 'update' : 'write' })
  if (input.dryRun) return { data: '[]', etag: present && etagOf(present.json), ...told }
  const isLimited = rule !== null || ruleOf(actor, entity, 'update', installed) !== null
  // What stays as it is need not be writable.
  const changed = isLimited
    ? pick(
        record,
        changes.map(({ field }) => field),
      )
    : record
  const done = present
    ? await change(deps, input, changed, present)
    : await create(deps, input, record)
  return { ...done, ...told }
}

/** The last state of a deleted record. */
async function lastRow(db: Db, entity: Entity, id: string): Promise<string | null> {
  const [last] = await selectVersions(db, entity, id, { offset: 0, limit: 1 })
  return last?.data ?? null
}

/** A deleted record comes back whole, or it would have lost what the caller can't see. */
function requireAllFields(rule: Rule | null): void {
  if (!rule || (rule.fields.size === 0 && rule.rest === true)) return
  throw new AppError(
    'forbidden',
    'Restoring a deleted record needs the right to read all of its fields',
  )
}

function versionNotFound(entity: Entity, id: string, version: number): AppError {
  if (version === EARLIER)
    return new AppError('not_found', `Nothing is known of the record before its oldest version`)
  const { message } = recordNotFound(entity.name, id)
  return new AppError('not_found', `${message} and the version ${version}; read the history again`)
}

function change(deps: Deps, input: RestoreVersion, record: JsonObject, { json }: PresentRow) {
  const { entityName, id, ifMatch, actor, requestId } = input
  // Without a header too, only what was compared is changed.
  const match = { ifMatch: ifMatch ?? etagOf(json) }
  return changeRecord(deps, {
    ...{ entityName, id, record, manner: 'merge', actor, requestId },
    ...match,
  })
}

async function create(
  deps: Deps,
  { entityName, ifMatch, actor, requestId }: RestoreVersion,
  record: JsonObject,
) {
  if (ifMatch !== null)
    throw new AppError('precondition_failed', 'The record is deleted; restore it without If-Match')
  const { data } = await createRecords(deps, {
    ...{ entityName, records: [record], naming: 'single', actor, requestId },
  })
  return { data, etag: etagOf(data.slice(1, -1)) }
}

/** What gives a record the values of a version. */
type RestorationPlan = {
  /** The fields to set; of a deleted record all, with its key. */
  record: JsonObject
  /** From the present state to that of the version; what the server itself sets is left out. */
  changes: FieldChange[]
}

/** `present`: the row in JSON text; null for a deleted record. Fields that are not to be shown stay as they are. */
function planRestoration(
  entity: Entity,
  state: State,
  present: string | null,
  { shows }: Pick<Shown, 'shows'>,
): RestorationPlan {
  const isSettable = settableIn(entity)
  const isSet = (name: string) => isSettable(name) && shows(name)
  const values = [...state.fields].filter(([name]) => isSet(name))
  if (present === null) {
    const keys = entity.keys.map((key): [string, Json] => [key, state.fields.get(key) ?? null])
    const record = Object.fromEntries([...keys, ...values])
    return { record, changes: compareStates(null, asState(record)) }
  }
  const now = [...stateOf(entity, present).fields].filter(([name]) => isSet(name))
  const unknown = unknownTo(entity, state)
  const emptied = now.filter(([name]) => !state.fields.has(name) && !unknown(name))
  const kept = now.filter(([name]) => !state.fields.has(name) && unknown(name))
  return {
    record: Object.fromEntries([
      ...emptied.map(([name]): [string, Json] => [name, null]),
      ...values,
    ]),
    changes: compareStates(
      asState(Object.fromEntries(now)),
      asState(Object.fromEntries([...values, ...kept])),
    ),
  }
}

const asState = (record: JsonObject): Pick<State, 'fields'> => ({
  fields: new Map(Object.entries(record)),
})

function settableIn(entity: Entity): (name: string) => boolean {
  const declared = new Map(entity.properties.map((property) => [property.name, property]))
  return (name) => {
    const property = declared.get(name)
    return property ? settable(entity, property) : true
  }
}

/** Fields that were declared since then, which keep their values. */
const unknownTo = (entity: Entity, { columns }: State) => {
  const declared = new Set(entity.properties.map(({ name }) => name))
  return (name: string) => declared.has(name) && !columns.has(name)
}
