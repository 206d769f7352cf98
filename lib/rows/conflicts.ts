import { forEachInTurns } from '@/lib/async/turns'
import { databaseError } from '@/lib/db/errors'
import type { Db } from '@/lib/db/sql'
import type { Entity, InsertDuplicate } from '@/lib/definitions/definition'
import type { FaultRule, FileDetail } from '@/lib/definitions/definition-faults'
import { entityIndexes } from '@/lib/definitions/entity-indexes'

import { tableIndexes } from '@/lib/tables/table-indexes'
import type { Json } from '@/lib/values/json'
import { defaultsOf } from './compiled-entity'
import { withComputedValues } from './computed-values'
import { type ConflictingRows, findStored, findTaken, findUnresolved } from './find-conflicts'
import type { PreparedRow } from './prepared-row'
import {
  type AboutFault,
  addFault,
  addPlainFault,
  type ConflictKind,
  type Conflicts,
  noFaults,
  pointerTo,
  type RecordFaults,
  showable,
  shownIn,
} from './record-faults'
import { keyOf } from './record-key'
import { type ForeignKey, readConstraints, type UniqueConstraint } from './table-constraints'

/**
 * Finds for every row why it can't be written: its key or a unique value is taken, or the target of a
 * reference is missing. Call it after the write was rolled back; `cause` is the database's error.
 */
export async function explainConflicts(
  db: Db,
  entity: Entity,
  incoming: PreparedRow[],
  onDuplicate: InsertDuplicate | 'Update',
  cause?: unknown,
  narrowed: Narrowed = {},
): Promise<Conflicts> {
  const conflicts = await findConflicts(db, entity, incoming, onDuplicate, narrowed)
  return conflicts.count > 0 ? conflicts : unexplained(entity, cause, narrowed.isNamed)
}

type Narrowed = {
  /** Where faults are collected. */
  faults?: RecordFaults
  /** Which references are looked at; all of them if left out. */
  only?: (key: ForeignKey) => boolean
  /** How messages name a row; by its number, from 1, if left out. */
  nameOf?: (index: number) => string
  /** Whether messages may name a field and its values; all of them if left out. */
  isNamed?: IsNamed
}

/** Whether the caller knows of a field of the entity. */
export type IsNamed = (field: string) => boolean

/** The same before anything is written: what is found then may change until it is. */
export async function findConflicts(
  db: Db,
  entity: Entity,
  incoming: PreparedRow[],
  onDuplicate: InsertDuplicate | 'Update',
  {
    faults = noFaults(),
    only = () => true,
    nameOf = numbered,
    isNamed = () => true,
  }: Narrowed = {},
): Promise<Conflicts> {
  const { unique, foreign } = await readConstraints(db, entity)
  const whole = await withDefaults(db, entity, incoming, onDuplicate)
  const rows = await withComputedValues(
    db,
    entity,
    whole,
    unique.flatMap(({ columns }) => columns),
  )
  const collected: Collected[] = []
  for (const constraint of unique) {
    if (constraint.isPrimary && onDuplicate !== 'Error') continue
    const found = await findTaken(db, entity, rows, constraint, onDuplicate)
    const kind = constraint.isPrimary ? 'duplicate' : 'unique'
    const isTold = constraint.columns.every(isNamed)
    const [describe, about] = isTold
      ? [takenDetail(entity, constraint, nameOf), aboutTaken(constraint)]
      : untold('unique', TAKEN)
    collected.push({ kind, found, describe, about })
  }
  for (const key of foreign.filter(only)) {
    const found = await findUnresolved(db, entity, rows, key)
    const isTold = key.columns.every(isNamed)
    const [describe, about] = isTold
      ? [referenceDetail(entity, key), aboutReference(entity, key)]
      : untold('reference', UNRESOLVED)
    collected.push({ kind: 'reference', found, describe, about })
  }
  return merge(rows, collected, faults)
}

/** Two new records may get the same default, or one that is stored. */
async function withDefaults(
  db: Db,
  entity: Entity,
  rows: PreparedRow[],
  onDuplicate: InsertDuplicate | 'Update',
): Promise<PreparedRow[]> {
  const defaults = [...defaultsOf(entity)].flatMap(([name, value]): [string, Json][] =>
    typeof value === 'function' ? [] : [[name, value]],
  )
  if (onDuplicate === 'Update' || defaults.length === 0) return rows
  const stored = onDuplicate === 'Error' ? new Set() : await findStored(db, entity, rows)
  return rows.map((row) => {
    if (stored.has(row.index)) return row
    const { index, extra } = row
    return { index, extra, values: { ...Object.fromEntries(defaults), ...row.values } }
  })
}

const numbered = (index: number) => `number ${index + 1}`

type Describe = (row: PreparedRow, earlier: number | null) => FileDetail
type About = (row: PreparedRow) => AboutFault
type Collected = { kind: ConflictKind; found: ConflictingRows; describe: Describe; about: About }

/** In the order of the rows. */
async function merge(
  rows: PreparedRow[],
  collected: Collected[],
  faults: RecordFaults,
): Promise<Conflicts> {
  const first = collected.find(({ found }) => found.size > 0)
  await forEachInTurns(first ? rows : [], (row) => {
    for (const { kind, found, describe, about } of collected) {
      const earlier = found.get(row.index)
      if (earlier === undefined) continue
      addFault(faults, about(row), () => describe(row, earlier))
      // The record with the same key often has the same unique values too.
      if (kind === 'duplicate') break
    }
  })
  return { ...faults, kind: first?.kind ?? null }
}

function takenDetail(
  entity: Entity,
  { columns, isPrimary }: UniqueConstraint,
  nameOf: (index: number) => string,
): Describe {
  const [only] = columns.length === 1 ? columns : []
  return ({ index, values }, earlier) => {
    const taken = columns.map((name) => showable(values[name] ?? null))
    const names = columns.map((name) => `"${name}"`).join(', ')
    const shown = taken.map((value) => JSON.stringify(value)).join(', ')
    const where = earlier === null ? 'exists already' : `is also in record ${nameOf(earlier)}`
    return {
      index,
      pointer: only === undefined ? '' : pointerTo(only),
      key: shortenKey(entity, values),
      value: only === undefined ? taken : (taken[0] ?? null),
      message: isPrimary
        ? `The key ${names} = ${shown} ${where}`
        : `${ruleName(entity, columns)}${names} must be unique: ${shown} ${where}`,
    }
  }
}

const TAKEN = 'A unique value of the record exists already'
const UNRESOLVED = 'The record refers to one that does not exist'

/** Of fields that the caller does not know of. */
const untold = (rule: FaultRule, message: string): [Describe, About] => [
  ({ index }) => ({ index, pointer: '', message }),
  ({ index }) => ({ rule, field: null, index, message: () => message }),
]

/** The name of the rule that the definition gives it, with a colon. */
function ruleName(entity: Entity, columns: readonly string[]): string {
  const rule = entityIndexes(entity).find(
    ({ unique, name, fields }) => unique && name && fields.join() === columns.join(),
  )
  return rule?.name ? `${rule.name}: ` : ''
}

/** Each record has another value, so the number and the first positions tell more. */
const aboutTaken =
  ({ columns, isPrimary }: UniqueConstraint): About =>
  ({ index }) => ({
    rule: isPrimary ? 'key' : 'unique',
    field: columns.join(', '),
    index,
    message: () => (isPrimary ? 'is the key of another record' : 'must be unique'),
  })

const targetOf = (entity: Entity, name: string): string =>
  entity.properties.find((one) => one.name === name)?.rules.reference?.entity ??
  'the entity it refers to'

function aboutReference(entity: Entity, { columns: [name = ''] }: ForeignKey): About {
  const target = targetOf(entity, name)
  return ({ index, values }) => ({
    rule: 'reference',
    field: name,
    index,
    value: shownIn(values[name]),
    allowed: () => target,
    message: () => `refers to nothing in ${target}`,
  })
}

/** The first column is the field that has the reference. */
function referenceDetail(entity: Entity, { columns }: ForeignKey): Describe {
  const [name = '', ...others] = columns
  const target = targetOf(entity, name)
  return ({ index, values }) => {
    const shown = (column: string) => showable(values[column] ?? null)
    const further = others.map((other) => `, with "${other}" ${JSON.stringify(shown(other))}`)
    const value = shown(name)
    const message = `"${name}" refers to ${JSON.stringify(value)}${further.join('')}, which is not in ${target}`
    return { index, pointer: pointerTo(name), key: shortenKey(entity, values), value, message }
  }
}

const shortenKey = (entity: Entity, values: PreparedRow['values']): Json =>
  showable(keyOf(entity, values))

/** The database's own message, where no row was found for it (the conflicting record may have been deleted). */
function unexplained(entity: Entity, cause: unknown, isNamed?: IsNamed): Conflicts {
  const error = databaseError(cause)
  if (!error) throw cause ?? new Error('No conflict found')
  const faults = noFaults()
  const refused = (message: string): Conflicts => {
    addPlainFault(faults, 'value', null, { message })
    return { ...faults, kind: 'refused' }
  }
  if (isNamed) return refused('The database refuses a record')
  // The detail of other faults quotes the whole stored row, which the caller may not be allowed to read.
  const isOfKeys = error.code === '23503' || error.code === '23505'
  const detail = showable((isOfKeys && error.detail) || error.message)
  const index = tableIndexes(entity).find(({ name }) => name === error.constraint)
  const columns = index?.parts.map(({ column }) => column) ?? []
  return refused(`${ruleName(entity, columns)}The database refuses a record: ${detail}`)
}

/** Whether an error is caused by the rows, not by the engine or the server. */
export function isRowConflict(error: unknown): boolean {
  const code = databaseError(error)?.code
  return code !== undefined && (code.startsWith('23') || code === '54000' || code === '22003')
}
