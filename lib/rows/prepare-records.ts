import { turnGiver } from '@/lib/async/turns'
import { currentBudget, requireBudget } from '@/lib/db/budget'
import type { Entity } from '@/lib/definitions/definition'
import type { FileDetail } from '@/lib/definitions/definition-faults'
import { LISTED } from '@/lib/definitions/link'
import { isOverMatchingLimit, withMatchingCost } from '@/lib/definitions/matching-cost'
import { AppError } from '@/lib/errors'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'
import { isStorableText, whyNotStorable } from '@/lib/values/storable'
import { addRuleFaults } from './check/fault-message'
import { type CompiledEntity, compileEntity, type Field, settleNumbers } from './compiled-entity'
import type { FieldNaming } from './field-naming'
import type { PreparedRow } from './prepared-row'
import {
  addFault,
  addPlainFault,
  noFaults,
  pointerTo,
  type RecordFaults,
  requireNoFaults,
  showable,
  shownIn,
} from './record-faults'

/**
 * `insert`: required fields must be present. `replace`: so must the key. `update`: only the given
 * fields are checked, the key must be present. `set`: the same for fields without a record.
 */
export type PrepareMode = 'insert' | 'replace' | 'update' | 'set'

export type Prepared = {
  /** The valid ones, in order. */
  rows: PreparedRow[]
  /** The first 100. */
  faults: FileDetail[]
  faultCount: number
}

/** The time limit for matching patterns in all records of a request. */
const REQUEST_MATCHING_MS = 1_000

/**
 * Checks records against the entity's rules and converts them for storage. Writes nothing. Throws
 * `invalid_input` when matching the entity's patterns takes too long.
 */
export async function prepareRecords(
  entity: Entity,
  records: readonly Json[],
  mode: PrepareMode,
): Promise<Prepared> {
  const preparation = beginPreparation(entity, mode, {
    matchingMs: REQUEST_MATCHING_MS,
    exceeded: () => new AppError('invalid_input', tooSlowToMatch('one request', 'records')),
  })
  const rows: PreparedRow[] = []
  await preparation.add(records, (row) => rows.push(row))
  const { details: faults, count: faultCount } = preparation.faults
  return { rows, faults, faultCount }
}

/** The same for records that must all be valid. Throws `invalid_input` that names every faulty field (the first 100). */
export async function checkRecords(
  entity: Entity,
  records: readonly Json[],
  mode: PrepareMode,
  naming: FieldNaming,
): Promise<PreparedRow[]> {
  const { rows, faults, faultCount } = await prepareRecords(entity, records, mode)
  requireNoFaults(faults, faultCount, naming)
  return rows
}

/** The message for `work` whose patterns take too long, with what to do about it. */
export const tooSlowToMatch = (work: string, parts: string): string =>
  `Matching the patterns of the entity takes too long for ${work}: use fewer ${parts}, shorter texts or simpler patterns`

type MatchingLimit = {
  /** The time limit for matching patterns in all records. */
  matchingMs: number
  /** Makes the error that is thrown over the limit; `index` is that of the record. */
  exceeded: (index: number) => Error
}

type Identified = {
  /** The fields by which records are found, when it is not the key. */
  identifiedBy?: readonly string[]
  /** Where faults are collected. */
  faults?: RecordFaults
}

/** Prepares records that come in batches; passes each valid row to `take` immediately. */
export function beginPreparation(
  entity: Entity,
  mode: PrepareMode,
  { matchingMs, exceeded, identifiedBy, faults = noFaults() }: MatchingLimit & Identified,
) {
  const keys = identifiedBy ?? (mode === 'insert' || mode === 'set' ? [] : entity.keys)
  const prepare = preparer(entity, mode, keys, faults)
  let index = 0
  const cost = { work: 0, ms: 0 }
  const giveTurn = turnGiver()
  return {
    async add(records: readonly Json[], take: (row: PreparedRow) => void): Promise<void> {
      for (const record of records) {
        const row = withMatchingCost(cost, () => prepare(record, index))
        if (isOverMatchingLimit(cost, matchingMs)) throw exceeded(index)
        index++
        if (row) take(row)
        const turn = giveTurn()
        if (!turn) continue
        await turn
        requireBudget(currentBudget())
      }
    },
    /** Counts the next record as one that can't be read. */
    refuse(message: string): void {
      addPlainFault(faults, 'value', null, { index: index++, message })
    },
    faults,
  }
}

/** Returns a function that checks and converts a record; null for one that is not valid. */
function preparer(
  entity: Entity,
  mode: PrepareMode,
  keys: readonly string[],
  faults: RecordFaults,
) {
  const compiled = compileEntity(entity)
  const validate = compiled.validate(mode === 'update' || mode === 'set' ? 'partial' : 'whole')
  return (input: Json, index: number): PreparedRow | null => {
    if (!isObject(input)) {
      const detail = { index, pointer: '', message: 'must be an object', value: showable(input) }
      addPlainFault(faults, 'type', null, detail)
      return null
    }
    const record = settleNumbers(input, compiled)
    const before = faults.count
    const faulty = validate(record)
      ? NONE
      : addRuleFaults(faults, compiled, validate.errors ?? [], input, index)
    for (const key of keys) {
      if (faulty.has(key) || (Object.hasOwn(record, key) && record[key] !== null)) continue
      const detail = { index, pointer: pointerTo(key), message: MISSING_KEY }
      addPlainFault(faults, 'required', key, detail)
    }
    const row = splitFields(entity, compiled, record, { index, faulty, faults })
    return faults.count === before ? row : null
  }
}

const NONE: ReadonlySet<string> = new Set()
const MISSING_KEY = 'is required: it is the key of the record'

/**
 * Separates declared from undeclared fields and converts them (the row may share the record); values that can't be stored become
 * faults. Skips the fields that are already `faulty`.
 */
function splitFields(
  entity: Entity,
  { fields, overlooked, computed }: CompiledEntity,
  record: JsonObject,
  { index, faulty, faults }: { index: number; faulty: ReadonlySet<string>; faults: RecordFaults },
): PreparedRow {
  const names = Object.keys(record)
  // Most records are stored as they are given; only others are copied.
  let values: JsonObject | null = null
  let extra: JsonObject | null = null
  for (let at = 0; at < names.length; at++) {
    const name = names[at] ?? ''
    const value = record[name] ?? null
    const field = fields.get(name)
    const isLeftOut = faulty.has(name) || (!field && overlooked.has(name))
    if (isLeftOut || !field) values ??= firstFields(record, names, at)
    if (isLeftOut) continue
    const fault = computed.has(name)
      ? COMPUTED
      : field
        ? whyNotStorable(value)
        : undeclaredFault(entity, name, value)
    if (fault !== null) {
      const detail = { index, pointer: pointerTo(name), message: fault }
      const rule = computed.has(name) ? 'computed' : field || entity.open ? 'value' : 'undeclared'
      const own = rule === 'value' ? { value: shownIn(value) } : {}
      const about = { rule, field: name, index, message: () => fault, ...own } as const
      addFault(faults, about, () => ({ ...detail, value: showable(value) }))
    } else if (field) {
      const stored = convert(field, value)
      if (stored !== value) values ??= firstFields(record, names, at)
      if (values) values[name] = stored
    } else {
      extra ??= {}
      put(extra, name, value)
    }
  }
  return { index, values: values ?? record, extra }
}

const firstFields = (record: JsonObject, names: readonly string[], count: number): JsonObject =>
  Object.fromEntries(names.slice(0, count).map((name) => [name, record[name] ?? null]))

const COMPUTED = 'is computed from other fields and cannot be set; leave it out'

const MAX_NAME_CHARS = 200

function undeclaredFault(
  { name: entity, open, listNames }: Entity,
  name: string,
  value: Json,
): string | null {
  if (listNames?.includes(name)) return LISTED
  if (!open) return `is not a field of ${entity}`
  if (name.length > MAX_NAME_CHARS) return `has a name of more than ${MAX_NAME_CHARS} characters`
  if (!isStorableText(name)) return 'has a name that the database cannot store'
  return whyNotStorable(value)
}

const convert = ({ convert }: Field, value: Json): Json =>
  convert === null || value === null ? value : convert(value)

function put(target: JsonObject, name: string, value: Json): void {
  if (name !== '__proto__') target[name] = value
  else Object.defineProperty(target, name, { value, ...PLAIN })
}

// Assigning this name would set the prototype.
const PLAIN = { enumerable: true, writable: true, configurable: true }
