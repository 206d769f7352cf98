import type { FieldCondition } from './condition'
import { type Fault, faultOf } from './condition-faults'
import { type FilterField, isInTime } from './field'
import { findField, meantField } from './find-field'
import { looksTyped } from './looks-typed'
import { splitTyped, unquoted, type Written } from './split-typed'
import { parseTime } from './time-words'

export type Typed = { condition: FieldCondition; fault: Fault | null }

/**
 * Reads conditions as `splitTyped` does. Fields are also found by their labels, times by words (`bought:gt:7 days ago`).
 * Null for a text of another form.
 */
export const parseTyped = (text: string, fields: readonly FilterField[]): Typed[] | null =>
  splitTyped(text)?.map((written) => toTyped(written, fields)) ?? null

/** The conditions of a text that is one or several of them, all without faults; null for any other text. */
export function soundConditions(
  text: string,
  fields: readonly FilterField[],
): FieldCondition[] | null {
  const typed = looksTyped(text, fields) ? parseTyped(text, fields) : null
  if (!typed || typed.some(({ fault }) => fault)) return null
  return typed.map(({ condition }) => condition)
}

function toTyped(
  { name, operator, isList, values }: Written,
  fields: readonly FilterField[],
): Typed {
  const field = meantField(fields, name) ?? name
  const base = { field, operator }
  const read = values?.map((text) => readValue(text, field, fields))
  const condition: FieldCondition = read ? { ...base, value: isList ? read : read[0] } : base
  return { condition, fault: faultOf(condition, fields) }
}

function readValue(text: string, name: string, fields: readonly FilterField[]): unknown {
  if (text === 'null') return null
  const plain = unquoted(text)
  const kind = findField(fields, name)?.kind
  return kind && isInTime(kind) ? (parseTime(plain, kind) ?? plain) : plain
}
