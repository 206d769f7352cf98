import { MAX_DETAILS } from '@/lib/archives/plugin-file'
import type { RecordContents } from '@/lib/archives/record-contents'
import { forEachInTurns } from '@/lib/async/turns'
import type { DeletedCounts, RecordConflict } from '@/lib/db/schema'
import { type Db, one, rows as rowsOf } from '@/lib/db/sql'
import type { Entity, UpdateStrategy } from '@/lib/definitions/definition'
import { decisionOf } from '@/lib/installs/decisions'
import { defaultsOf, replacingDefaults } from '@/lib/rows/compiled-entity'
import { distinctRows, inLockOrder } from '@/lib/rows/distinct-rows'
import {
  jsonChunks,
  keyReader,
  type PreparedRow,
  partialEncoder,
  presenceOf,
  wholeEncoder,
} from '@/lib/rows/prepared-row'
import { checkedProperties } from '@/lib/rows/record-schema'
import type { Json, JsonObject } from '@/lib/values/json'
import type { Origin } from '../base/record-sql'
import { type Compared, compareStatement, type Differing } from './compare-sql'
import { type Deleted, deletedHere } from './deleted-records'
import { contentEncoder } from './remember-created'
import { divideRows } from './unchanged-rows'

export type Merged = {
  /** To be written with the entity's strategy. */
  rows: PreparedRow[]
  /** To be written with `Upsert`, whatever the strategy: without the fields that are kept. */
  partial: PreparedRow[]
  /** Indexes of those rows whose records are not stored. */
  created: Set<number>
  /** Rows that need not be written. */
  settled: PreparedRow[]
  /** The number of those that are stored, and of rows that repeat the key of a stored one. */
  unchanged: number
  deleted: DeletedCounts
  /** The first 100. */
  conflicts: RecordConflict[]
  conflictCount: number
  /** Conflicts that are to fail the file. */
  undecided: RecordConflict[]
  /** Keys of records that are to be changed and that the plugin did not give. */
  adopted: string[]
}

type Decision = RecordConflict['decision']
type FileRows = {
  rows: PreparedRow[]
  contents: RecordContents
  /** Whether the file gave records before. */
  isKnown: boolean
}

/**
 * Merges what a plugin gives with what it gave last and with what is stored, field by field: what was
 * changed here is kept, what only the plugin changed is taken, and the origin decides about the rest.
 */
export async function mergeRows(
  tx: Db,
  entity: Entity,
  origin: Origin,
  { rows, contents, isKnown }: FileRows,
  strategy: UpdateStrategy,
): Promise<Merged> {
  const readKey = keyReader(entity)
  const lacking: PreparedRow[] = []
  const complete: PreparedRow[] = []
  await forEachInTurns(rows, (row) => {
    ;(readKey(row) === null ? lacking : complete).push(row)
  })
  const { rows: distinct, repeated } = await distinctRows(entity, complete, 'Upsert', strategy)
  const ordered = await inLockOrder(entity, distinct)
  // Which content a record without a key has is remembered too.
  const isComparable = isKnown && contents.size === 0
  const { same, changed } = isComparable
    ? await divideRows(tx, entity, origin, ordered)
    : { same: [], changed: ordered }
  const presence = await presenceOf(entity, changed)
  const encode = contentEncoder(
    strategy === 'Replace'
      ? wholeEncoder(replacingDefaults(entity))
      : partialEncoder(presence.some),
    contents,
  )
  const merged: Merged = { ...allNew(lacking), settled: same, unchanged: same.length }
  const merge = merger(entity, origin, strategy, merged)
  const left = new Set<number>()
  const findDeleted = deletedHere(tx, entity, origin)
  for (const chunk of jsonChunks(changed, encode)) {
    const form = { strategy, presence }
    const statement = await compareStatement(tx, entity, origin, chunk.json, form)
    const found = one(await rowsOf<Compared>(tx, statement))
    const deleted = await findDeleted(found.missing ?? [])
    merge(chunk.rows, found, deleted)
    for (const { index, isRestored } of deleted.values()) if (!isRestored) left.add(index)
  }
  for (const index of repeated.values()) if (!left.has(index)) merged.unchanged++
  return merged
}

/** Rows that are written as they are; `isNew`: whether the record of one is not stored, by its index. */
export const allNew = (rows: PreparedRow[], isNew = (_: number) => true): Merged => ({
  rows,
  partial: [],
  created: new Set(rows.flatMap(({ index }) => (isNew(index) ? [index] : []))),
  settled: [],
  unchanged: 0,
  deleted: { kept: 0, restored: 0 },
  conflicts: [],
  conflictCount: 0,
  undecided: [],
  adopted: [],
})

/** Returns a function that adds compared rows to `merged`. */
function merger(entity: Entity, origin: Origin, strategy: UpdateStrategy, merged: Merged) {
  const note = (conflict: Omit<RecordConflict, 'decision'>, decided: Decision | null) => {
    const found = { ...conflict, decision: decided ?? 'keep' }
    merged.conflictCount++
    if (merged.conflicts.length < MAX_DETAILS) merged.conflicts.push(found)
    if (decided === null) merged.undecided.push(found)
    origin.recordConflict(found)
  }
  return (
    rows: readonly PreparedRow[],
    { same, differing }: Compared,
    deleted: ReadonlyMap<number, Deleted>,
  ): void => {
    const settled = new Set(same)
    const different = new Map((differing ?? []).map((one) => [one.index, one]))
    for (const row of rows) {
      const found = different.get(row.index)
      const lost = deleted.get(row.index)
      const decision = found ? decisionOf(origin.conflicts, found.key) : null
      if (found && !found.known) merged.adopted.push(found.key)
      if (found?.disputed.length) note(conflictOf(found), decision)
      if (lost?.changed) note({ key: lost.key, change: 'deleted', fields: [] }, lost.decision)
      if (lost) merged.deleted[lost.isRestored ? 'restored' : 'kept']++
      if (lost && !lost.isRestored) merged.settled.push(row)
      else if (settled.has(row.index)) {
        merged.unchanged++
        merged.settled.push(row)
      } else if (!found) {
        merged.created.add(row.index)
        merged.rows.push(row)
      } else {
        const kept = decision === 'take' ? without(found.kept, found.disputed) : found.kept
        if (kept.length === 0) merged.rows.push(row)
        else merged.partial.push(keepFields(entity, row, kept, strategy))
      }
    }
  }
}

const without = (names: readonly string[], left: readonly string[]) =>
  names.filter((name) => !left.includes(name))

const conflictOf = ({
  key,
  disputed,
  base,
  ours,
  theirs,
}: Differing): Omit<RecordConflict, 'decision'> => ({
  key,
  change: 'edited',
  fields: disputed.map((field) => ({
    field,
    base: base?.[field] ?? null,
    ours: ours?.[field] ?? null,
    theirs: theirs?.[field] ?? null,
  })),
})

/**
 * The row as an `Upsert` that leaves the fields `kept` as they are stored. Of a `Replace`, it
 * empties the fields that the row lacks, but not undeclared and generated ones.
 */
function keepFields(
  entity: Entity,
  { index, values, extra }: PreparedRow,
  kept: readonly string[],
  strategy: UpdateStrategy,
): PreparedRow {
  const isReplaced = strategy === 'Replace'
  const whole = isReplaced ? { ...emptied(entity), ...values } : values
  const left = isReplaced ? [...kept, ...ungenerated(entity, values)] : kept
  const undeclared = withoutFields(extra ?? {}, kept)
  return {
    index,
    values: withoutFields(whole, left),
    extra: Object.keys(undeclared).length > 0 ? undeclared : null,
  }
}

function emptied(entity: Entity): JsonObject {
  const defaults = defaultsOf(entity)
  const names = checkedProperties(entity).flatMap(({ name }) =>
    entity.keys.includes(name) ? [] : [name],
  )
  return Object.fromEntries(
    names.map((name): [string, Json] => {
      const value = defaults.get(name) ?? null
      return [name, typeof value === 'function' ? value() : value]
    }),
  )
}

/** Generated fields without a value in a row: what is stored stays. */
const ungenerated = ({ properties }: Entity, values: JsonObject): string[] =>
  properties.flatMap(({ name, rules }) =>
    rules.generates && (values[name] ?? null) === null ? [name] : [],
  )

const withoutFields = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
