import { sql } from 'drizzle-orm'
import { FileFailure, failureOf, MAX_DETAILS } from '@/lib/archives/plugin-file'
import type { DeletedCounts, RecordConflict, RecordCounts } from '@/lib/db/schema'
import type { Entity } from '@/lib/definitions/definition'
import { type FaultGroup, type FileDetail, MAX_SHOWN } from '@/lib/definitions/definition-faults'
import { FileKeys } from '@/lib/installs/file-keys'
import { NO_CONFLICTS } from '@/lib/installs/file-report'
import { mayReveal } from '@/lib/installs/installer-rights'
import type { CheckedRecords, DataContext, RecordTarget } from '@/lib/installs/points'
import {
  isEmpty,
  type RecordWriter,
  VERDICT,
  type Written,
  withNames,
  writeRows,
} from '@/lib/installs/write-records'
import { withoutUnchanged } from '@/lib/registry/may-read'
import { findTaken } from '@/lib/rows/find-conflicts'
import { keyReader, type PreparedRow } from '@/lib/rows/prepared-row'
import { type UpdateResult, updateRecords } from '@/lib/rows/update-records'
import { keysFilter, MAX_LISTED } from '@/lib/tables/contradiction-groups'
import { isObject, type Json } from '@/lib/values/json'
import { type Origin, originOf } from '../base/record-sql'
import { recordFieldNames } from '../changes/record-definitions'
import { countedKey, haveOthers } from '../promoted/promoted-keys'
import { followMove, recordEmptied } from './deleted-records'
import { allNew, type Merged, mergeRows } from './merge-rows'
import { gaveAny, gaveRecords } from './recall-keys'
import { rememberCreated } from './remember-created'
import { removeUnlisted } from './removed-records'

/**
 * Merges the records of a file with what is stored and writes them. Both functions throw `FileFailure`
 * about records that can't be written, `end` about conflicts that are to fail the file.
 */
export async function mergingWriter(
  context: DataContext,
  target: RecordTarget,
): Promise<RecordWriter> {
  const { tx, entity, onDuplicate, isPart } = target
  const origin = originOf(context)
  const { pluginId, actor } = context
  const actorName = actor.name
  const isVacant = await isEmpty(tx, entity.table)
  // An emptied table is filled again, as if for the first time.
  const isFirst = onDuplicate === 'Error' || isVacant
  const wasEmptied = isVacant && (await gaveAny(tx, origin, entity))
  const isKnown = !isFirst && onDuplicate === 'Upsert' && (await gaveRecords(tx, origin, entity))
  const isNumbered =
    context.from !== undefined && onDuplicate === 'Upsert' && countedKey(entity) !== null
  const keys = new FileKeys(entity)
  const counts: RecordCounts = { created: 0, updated: 0, unchanged: 0, failed: 0 }
  const names: string[] = []
  const found = { conflicts: [] as RecordConflict[], conflictCount: 0 }
  const deleted: DeletedCounts = { kept: 0, restored: 0 }
  const undecided = new Undecided()

  function recordConflicts(merged: Merged): void {
    found.conflictCount += merged.conflictCount
    found.conflicts = [...found.conflicts, ...merged.conflicts].slice(0, MAX_DETAILS)
    undecided.add(merged.undecided)
  }

  async function add(part: CheckedRecords): Promise<void> {
    const merged = isFirst ? allNew(part.rows) : await merge(target, origin, { ...part, isKnown })
    recordConflicts(merged)
    deleted.kept += merged.deleted.kept
    deleted.restored += merged.deleted.restored
    if (undecided.count > 0) return
    // With the names that earlier parts have brought.
    const current = { ...target, entity: withNames(entity, names) }
    const whole = await writeRows(current, merged.rows, actorName)
    const partial = await changeRows(current, merged.partial, actorName)
    const created = whole.rows.filter(({ index }) => merged.created.has(index))
    const isTaken = created.length > whole.counts.created
    if (isNumbered && (isTaken || (await haveOthers(tx, entity, pluginId, merged.adopted))))
      throw taken(entity)
    await rememberCreated(tx, entity, origin, created, part.contents)
    counts.created += whole.counts.created
    counts.updated += whole.counts.updated + partial.counts.updated
    counts.unchanged += whole.counts.unchanged + partial.counts.unchanged + merged.unchanged
    names.push(...new Set([...whole.newExtraFields, ...partial.newExtraFields]))
    if (onDuplicate !== 'Upsert') return
    for (const rows of [merged.settled, whole.rows, partial.rows]) await keys.add(rows)
  }

  async function end(): Promise<Written> {
    const isVisible = onDuplicate !== 'Upsert' || mayReveal(context, entity.name)
    if (undecided.count > 0) {
      if (!isVisible) throw untold(entity.name)
      const groups = undecided.groups(entity)
      const { details, count } = undecided
      throw new FileFailure('Conflict Issue!', details, count, { found, groups })
    }
    if (isPart) await tx.execute(sql`set constraints all immediate`)
    await recordFieldNames(tx, context.installId, entity, names)
    const removed =
      onDuplicate === 'Upsert'
        ? await removeUnlisted(tx, entity, origin, keys, actorName)
        : NO_CONFLICTS.removed
    await followMove(tx, entity, origin)
    if (wasEmptied) await recordEmptied(tx, entity, origin)
    if (isVisible) return { counts, ...found, removed, deleted }
    const told = withoutUnchanged({ ...counts, unchanged: counts.unchanged + deleted.kept })
    return { counts: told, ...NO_CONFLICTS }
  }

  return { add, end }
}

const untold = (name: string) =>
  new FileFailure('Conflict Issue!', [
    {
      message: `Records of "${name}" changed here and in the plugin; ${CHOOSE}. To see which ones needs the right "${name}:read"`,
    },
  ])

/** A number was free when the file was read, and others have made a record with it meanwhile: that is not to be written over. */
const taken = ({ name }: Entity) =>
  new FileFailure('Conflict Issue!', [
    {
      message: `Records of "${name}" were made here meanwhile, with numbers that the file has: install it again`,
    },
  ])

/** What of the part is to be written, and which of its records are new. */
async function merge(
  { tx, entity, onDuplicate }: RecordTarget,
  origin: Origin,
  part: CheckedRecords & { isKnown: boolean },
): Promise<Merged> {
  if (onDuplicate === 'Upsert')
    return mergeRows(tx, entity, origin, part, entity.definition.updateStrategy)
  const readKey = keyReader(entity)
  const keyed = part.rows.filter((row) => readKey(row) !== null)
  const primary = { columns: entity.keys, isPrimary: true }
  const stored = await findTaken(tx, entity, keyed, primary, 'Error')
  return allNew(part.rows, (index) => stored.get(index) !== null)
}

/** Stored records, so nothing is inserted: a required field that is kept would be missing there. */
async function changeRows(
  { tx, entity, isPart }: RecordTarget,
  rows: PreparedRow[],
  actorName: string,
): Promise<UpdateResult> {
  const options = { strategy: 'Upsert', actorName, now: new Date(), isPart } as const
  const changed = await updateRecords(tx, entity, rows, options)
  const { conflicts } = changed
  if (conflicts) throw failureOf(VERDICT[conflicts.kind ?? 'refused'], conflicts)
  return changed
}

/** Most kinds of conflicts that are told apart. */
const MAX_KINDS = 50
const CHOOSE = 'choose onConflict=keep or take'

type Kind = { change: RecordConflict['change']; message: string; total: number; keys: Json[] }

/** Conflicts of a file about which nothing was chosen, by what was changed on both sides. */
class Undecided {
  count = 0
  /** The first 100. */
  readonly details: FileDetail[] = []
  private readonly kinds = new Map<string, Kind>()

  add(conflicts: readonly RecordConflict[]): void {
    for (const { key, change, fields } of conflicts) {
      this.count++
      const message = messageOf(change, fields)
      if (this.details.length < MAX_DETAILS) this.details.push({ key, message })
      const kind = this.kindOf(change, message)
      kind.total++
      if (kind.keys.length < MAX_LISTED) kind.keys.push(key)
    }
  }

  /** The largest first; `keys` are the fields of the entity's key. */
  groups({ name, keys }: { name: string; keys: readonly string[] }): FaultGroup[] {
    const groups = [...this.kinds.values()].map(({ change, message, total, keys: found }) => ({
      // What was deleted is stored no longer.
      entity: change === 'deleted' ? null : name,
      ...{ rule: 'conflict' as const, field: null, message, total, indexes: [] },
      keys: found.slice(0, MAX_SHOWN).map((key) => shownKey(keys, key)),
      filter: change === 'edited' && total <= found.length ? keysFilter(keys, found) : null,
    }))
    return groups.sort((a, b) => b.total - a.total)
  }

  private kindOf(change: RecordConflict['change'], told: string): Kind {
    const isOwn = this.kinds.has(told) || this.kinds.size < MAX_KINDS
    const message = isOwn ? told : `other fields changed here and in the plugin; ${CHOOSE}`
    const kind = this.kinds.get(message) ?? { change, message, total: 0, keys: [] }
    this.kinds.set(message, kind)
    return kind
  }
}

const messageOf = (change: RecordConflict['change'], fields: RecordConflict['fields']): string =>
  change === 'deleted'
    ? `deleted here and changed by the plugin; ${CHOOSE}`
    : `${fields.map(({ field }) => `"${field}"`).join(', ')} changed here and in the plugin; ${CHOOSE}`

/** A `persistenceId` as people read it: of several fields their values, unless one of them would be rounded. */
function shownKey(fields: readonly string[], id: Json): Json {
  if (fields.length === 1 || typeof id !== 'string') return id
  try {
    const key = JSON.parse(Buffer.from(id, 'base64url').toString()) as Json
    const isExact = (value: Json) => typeof value !== 'number' || Number.isSafeInteger(value)
    return isObject(key) && Object.values(key).every(isExact) ? key : id
  } catch {
    return id
  }
}
