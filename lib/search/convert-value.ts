import { isPattern, type OperatorName } from '@/lib/definitions/operators'
import { messageOf } from '@/lib/errors'
import type { FieldKind, Literal } from '@/lib/kinds/field-kind'
import { isTextKind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import type { SearchTarget } from '@/lib/registry/target'
import { type Json, literalOf } from '@/lib/values/json'
import { RELATIVE_FORMS } from '@/lib/values/relative-time'
import { whyNotStorable } from '@/lib/values/storable'
import { shorten } from '@/lib/values/unknown-name'
import { toRegularExpression } from './regular-expression'
import type { FieldRef } from './resolved'

/** Why a value does not suit its field; completes the sentence `Field "age" …`. */
export class BadValue extends Error {
  override readonly name = 'BadValue'
}

/**
 * Converts a value of a condition (not null) to the type of its field. Typed values and their
 * text give equal results. `$me` of a text is the id of `reader`, as of a target. Throws `BadValue`, naming field, type and value.
 */
export function convertValue(
  input: Json,
  field: FieldRef,
  operator: OperatorName,
  reader: SearchTarget['reader'],
): Literal {
  const unstorable = whyNotStorable(input)
  if (unstorable) throw new BadValue(`The value for "${field.name}" ${unstorable}`)
  const isText = isTextKind(field.kind)
  const value = literalOf(input) ?? (input === ME && isText ? userFor(field, reader) : input)
  // A pattern is looked for in the texts of JSON.
  const kind = KINDS[isPattern(operator) && !isText ? 'json' : field.kind]
  const literal = kind.literal(value)
  if (literal === null) throw new BadValue(mismatch(field, value, expectedOf(kind, value)))
  if (literal.text === null && !TAKES_CONTAINER.has(operator))
    throw new BadValue(mismatch(field, value, `compared by "${operator}" with a text or number`))
  if (operator === 'matches') requirePattern(field, literal.text ?? '')
  return isRelative(kind, value) && literal.type !== 'json'
    ? { ...literal, written: value }
    : literal
}

/** Stands for the id of the user who asks. */
const ME = '$me'

function userFor(field: FieldRef, reader: SearchTarget['reader']): string {
  if (reader === null)
    throw new BadValue(
      `The value "$me" for "${field.name}" is the caller's account, and the caller has none`,
    )
  return reader ?? ME
}

const isRelative = ({ now }: FieldKind, value: Json): value is string =>
  now !== null && typeof value === 'string' && value.trim().startsWith('$')

/** What was expected, with the relative times where one was meant. */
const expectedOf = (kind: FieldKind, value: Json): string =>
  isRelative(kind, value) ? `${kind.words('')}, or ${RELATIVE_FORMS}` : kind.words('')

function requirePattern(field: FieldRef, pattern: string): void {
  try {
    toRegularExpression(pattern)
  } catch (error) {
    throw new BadValue(`The pattern for "${field.name}" is ${messageOf(error)}`)
  }
}

const mismatch = (field: FieldRef, value: Json, expected: string) =>
  `"${field.name}" is ${expected}, and ${shorten(JSON.stringify(value))} is not`

const TAKES_CONTAINER = new Set<OperatorName>(['eq', 'ne', 'in', 'nin', 'contains'])
