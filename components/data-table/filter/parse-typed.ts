import { findOperator, OPERATORS } from '@/lib/definitions/operators'
import type { FieldCondition } from './condition'
import { type Fault, faultOf } from './condition-faults'
import { type FilterField, isInTime } from './field'
import { findField, meantField } from './find-field'
import { looksTyped } from './looks-typed'
import { parseTime } from './time-words'

const QUOTED = '"(?:\\\\.|[^"\\\\])*"'
const HEAD = new RegExp(`(${QUOTED}|[^\\s:,&"]+):([a-z]+)`, 'iy')
const OPERATOR_NAMES = Object.keys(OPERATORS).join('|')
/** A comma, an ampersand or a blank ends a value where another condition begins behind it. */
const NEXT = new RegExp(
  `(?:\\s*[,&]\\s*|\\s+)(?=(?:${QUOTED}|[^\\s:,&"]+):(?:${OPERATOR_NAMES})(?::|$|[\\s,&]))|\\s*[,&]?\\s*$`,
  'iy',
)

export type Typed = { condition: FieldCondition; fault: Fault | null }

/**
 * Reads `field:operator:value`, several of them separated by commas, ampersands or blanks, as in `?filter=` of the API:
 * lists are `a|b`, quotes hold what would end a value. Fields are also found by their labels, times by words
 * (`bought:gt:7 days ago`). Null for a text of another form.
 */
export function parseTyped(text: string, fields: readonly FilterField[]): Typed[] | null {
  const found: Typed[] = []
  const rest = text.trim().replace(/^\??filter=/, '')
  let at = 0
  while (at < rest.length) {
    HEAD.lastIndex = at
    const [head = '', name = '', operator = ''] = HEAD.exec(rest) ?? []
    if (!head) return null
    at += head.length
    const values: string[] = []
    if (rest[at] === ':') {
      const end = endOfValue(rest, at + 1)
      values.push(rest.slice(at + 1, end))
      at = end
    }
    NEXT.lastIndex = at
    const gap = NEXT.exec(rest)
    if (!gap) return null
    at += gap[0].length
    found.push(toTyped(unquoted(name), operator, values[0], fields))
  }
  return found.length > 0 ? found : null
}

/** The conditions of a text that is one or several of them, all without faults; null for any other text. */
export function soundConditions(
  text: string,
  fields: readonly FilterField[],
): FieldCondition[] | null {
  const typed = looksTyped(text, fields) ? parseTyped(text, fields) : null
  if (!typed || typed.some(({ fault }) => fault)) return null
  return typed.map(({ condition }) => condition)
}

/** Where the value that begins at `start` ends: before what leads to another condition, or at the end. */
function endOfValue(text: string, start: number): number {
  const quote = new RegExp(QUOTED, 'y')
  for (let at = start; at < text.length; at++) {
    quote.lastIndex = at
    const quoted = text[at] === '"' ? quote.exec(text) : null
    if (quoted) at += quoted[0].length - 1
    else {
      NEXT.lastIndex = at
      if (NEXT.test(text)) return at
    }
  }
  return text.length
}

function toTyped(
  written: string,
  operator: string,
  value: string | undefined,
  fields: readonly FilterField[],
): Typed {
  const field = meantField(fields, written) ?? written
  const known = findOperator(operator)
  const arity = known ? OPERATORS[known].arity : 'one'
  const base = { field, operator: known ?? operator }
  const read = (text: string) => readValue(text, field, fields)
  const condition: FieldCondition =
    arity === 'none' || value === undefined
      ? base
      : { ...base, value: arity === 'one' ? read(value) : splitList(value).map(read) }
  return { condition, fault: faultOf(condition, fields) }
}

// Quotes hold a `|` together.
const splitList = (text: string): string[] =>
  text.match(new RegExp(`(?:${QUOTED}|[^|])+|(?<=^|\\|)(?=\\||$)`, 'g')) ?? ['']

function readValue(text: string, name: string, fields: readonly FilterField[]): unknown {
  if (text === 'null') return null
  const plain = unquoted(text)
  const kind = findField(fields, name)?.kind
  return kind && isInTime(kind) ? (parseTime(plain, kind) ?? plain) : plain
}

const unquoted = (text: string): string =>
  /^".*"$/s.test(text) ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text
