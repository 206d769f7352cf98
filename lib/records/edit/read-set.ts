import { AUDIT_FIELDS, type Entity, type Property } from '@/lib/definitions/definition'
import { AppError, type Validation } from '@/lib/errors'
import { isAnyJsonKind, isListKind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import { prepareRecords } from '@/lib/rows/prepare-records'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { fieldOf } from '@/lib/rows/record-faults'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'
import { unknownName } from '@/lib/values/unknown-name'
import { digitsOf, findOperator, isOperand, listOf, OPERATOR_NAMES } from './operators'

/** The new value of a field, made of what is stored in the field `from`. */
type Expression = { from: string; apply: (stored: Json) => Json }

/** What an edit does to each record. */
export type Edit = {
  /** The fields that it sets. */
  fields: string[]
  /** The values that are the same for all records, checked. */
  constants: PreparedRow
  expressions: ReadonlyMap<string, Expression>
  /** Undeclared fields that it removes. */
  removed: string[]
}

const MAX_NAMED = 100

/**
 * Reads `set`: a value for each field, or an object of one operator. Throws `invalid_input` that names every fault:
 * unknown fields and operators with the nearest known ones, and values that the rules refuse. `entity`, `source`: with the
 * fields that may be set and copied.
 */
export async function readSet(
  entity: Entity,
  set: JsonObject,
  now: Date,
  source = entity,
): Promise<Edit> {
  const faults: Validation[] = []
  const constants: [string, Json][] = []
  const expressions = new Map<string, Expression>()
  const fields = Object.keys(set)
  for (const name of fields) {
    const fault = whyNotSettable(entity, name)
    const read = fault ? { fault } : readValue(entity, source, name, set[name] ?? null, now)
    if ('fault' in read) faults.push({ field: `set.${name}`, error: read.fault })
    else if ('value' in read) constants.push([name, read.value])
    else expressions.set(name, read)
  }
  const prepared = await prepareRecords(entity, [Object.fromEntries(constants)], 'set')
  for (const { pointer = '', message } of prepared.faults)
    faults.push({ field: `set.${fieldOf(pointer)}`, error: message })
  if (fields.length === 0) faults.push({ field: 'set', error: 'must name at least one field' })
  const [row] = prepared.rows
  if (faults.length > 0 || !row) throw refused(faults)
  return { fields, expressions, ...takeRemoved(row) }
}

function takeRemoved(row: PreparedRow): Pick<Edit, 'constants' | 'removed'> {
  const extra = Object.entries(row.extra ?? {})
  const kept = extra.filter(([, value]) => value !== null)
  return {
    constants: { ...row, extra: kept.length > 0 ? Object.fromEntries(kept) : null },
    removed: extra.filter(([, value]) => value === null).map(([name]) => name),
  }
}

function refused(faults: Validation[]): AppError {
  const [first] = faults
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  return new AppError('invalid_input', `${first?.field}: ${first?.error}${more}`, {
    validations: faults.slice(0, MAX_NAMED),
    meta: faults.length > MAX_NAMED ? { validationCount: faults.length } : {},
  })
}

const SERVER_SET = new Set<string>(['persistenceId'])

function whyNotSettable(entity: Entity, name: string): string | null {
  const { keys, definition, open } = entity
  if (keys.includes(name)) return 'is the key and cannot be changed'
  const isSigned = definition.auditable && (AUDIT_FIELDS as readonly string[]).includes(name)
  if (SERVER_SET.has(name) || isSigned) return 'is set by the server'
  if (propertyOf(entity, name)) return null
  return open ? whyNotUndeclared(entity, name) : unknownField(entity, name)
}

/** Conditions reach into objects by such names, so it is not meant as the name of a field. */
function whyNotUndeclared(entity: Entity, name: string): string | null {
  const [first = ''] = name.split('.')
  const isPath = first !== name && !entity.extraFields.includes(name)
  return isPath && (propertyOf(entity, first) || entity.extraFields.includes(first))
    ? `is a path, which cannot be set; set "${first}" as a whole`
    : null
}

type ReadValue = { fault: string } | { value: Json } | Expression

function readValue(
  entity: Entity,
  source: Entity,
  name: string,
  input: Json,
  now: Date,
): ReadValue {
  const [operator, ...others] = operatorsIn(input)
  if (operator === undefined || !isObject(input)) return { value: input }
  if (others.length > 0)
    return { fault: `takes one operator, not ${1 + others.length}; a value goes into "$value"` }
  const operand = input[operator] ?? null
  if (operator === '$value') return { value: operand }
  if (operator === '$field') return copyOf(entity, source, name, operand)
  const property = propertyOf(entity, name)
  if (operator === '$unset' || operator === '$now') {
    if (operand !== true) return { fault: `"${operator}" takes true` }
    return operator === '$unset' ? { value: null } : timeFor(property, now)
  }
  return calculationOf(property, operator, operand)
}

/** The keys of an object that all begin with `$`; those of `{ "$date": … }` are a value. */
function operatorsIn(input: Json): string[] {
  const names = isObject(input) ? Object.keys(input) : []
  return names.every((name) => name.startsWith('$')) && names.join() !== '$date' ? names : []
}

function calculationOf(property: Property | undefined, name: string, operand: Json): ReadValue {
  const operator = findOperator(name)
  if (!operator) return { fault: unknownName('operator', name, OPERATOR_NAMES) }
  const wanted = property ? operator.takes(property.kind) : null
  if (!property || wanted === null) {
    const kind = property ? `of the type ${property.type}` : 'undeclared'
    return { fault: `"${name}" is for ${operator.on}; this field is ${kind}` }
  }
  if (wanted === 'a number' && !isOperand(operand))
    return { fault: `"${name}" takes a number, with an exponent of at most 1,000` }
  if (wanted === 'a text' && (typeof operand !== 'string' || digitsOf(operand) !== null))
    return { fault: `"${name}" takes a text here` }
  const ready = isListKind(property.kind) ? listOf(operand) : operand
  return { from: property.name, apply: (stored) => operator.apply(stored, ready) }
}

/** The same time for all records. */
function timeFor(property: Property | undefined, now: Date): ReadValue {
  const text = now.toISOString()
  const present = property && KINDS[property.kind].now
  if (present) return { value: present.text(text) }
  return { fault: '"$now" is for dates and times with a date' }
}

function copyOf(entity: Entity, source: Entity, name: string, operand: Json): ReadValue {
  if (typeof operand !== 'string') return { fault: '"$field" takes the name of a field' }
  const [to, from] = [propertyOf(entity, name), propertyOf(source, operand)]
  const isExtra = source.open && source.extraFields.includes(operand)
  if (!from && !isExtra) return { fault: unknownField(source, operand) }
  if (to && !isAnyJsonKind(to.kind) && to.kind !== from?.kind)
    return {
      fault: `"${operand}" is of the type ${from?.type ?? 'json'}, this field of ${to.type}`,
    }
  return { from: operand, apply: (stored) => stored }
}

const propertyOf = ({ properties }: Entity, name: string) =>
  properties.find((one) => one.name === name)

const unknownField = ({ properties, extraFields, open }: Entity, name: string): string =>
  unknownName('field', name, [...properties.map((one) => one.name), ...(open ? extraFields : [])])
