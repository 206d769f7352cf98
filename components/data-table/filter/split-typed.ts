import { findOperator, OPERATORS, QUANTIFIERS } from '@/lib/definitions/operators'

const QUOTED = '"(?:\\\\.|[^"\\\\])*"'
const HEAD = new RegExp(`(${QUOTED}|[^\\s:,&"]+):([a-z]+)`, 'iy')
const OPERATOR_NAMES = [...Object.keys(OPERATORS), ...QUANTIFIERS].join('|')
/** A comma, an ampersand or a blank ends a value where another condition begins behind it. */
const NEXT = new RegExp(
  `(?:\\s*[,&]\\s*|\\s+)(?=(?:${QUOTED}|[^\\s:,&"]+):(?:${OPERATOR_NAMES})(?::|$|[\\s,&]))|\\s*[,&]?\\s*$`,
  'iy',
)

/** A condition as it is written: `values` are one, or those of a list; none where the operator takes none. */
export type Written = { name: string; operator: string; isList: boolean; values: string[] | null }

/**
 * Reads `field:operator:value`, several of them separated by commas, ampersands or blanks, as in `?filter=` of the API:
 * lists are `a|b`, quotes hold what would end a value. Values still have their quotes (`unquoted`). Null for a text of
 * another form.
 */
export function splitTyped(text: string): Written[] | null {
  const found: Written[] = []
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
    found.push(written(unquoted(name), operator, values[0]))
  }
  return found.length > 0 ? found : null
}

function written(name: string, text: string, value: string | undefined): Written {
  const known = findOperator(text)
  const arity = known ? OPERATORS[known].arity : 'one'
  const base = { name, operator: known ?? text, isList: arity !== 'one' }
  if (arity === 'none' || value === undefined) return { ...base, values: null }
  return { ...base, values: base.isList ? splitList(value) : [value] }
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

// Quotes hold a `|` together.
const splitList = (text: string): string[] =>
  text.match(new RegExp(`(?:${QUOTED}|[^|])+|(?<=^|\\|)(?=\\||$)`, 'g')) ?? ['']

export const unquoted = (text: string): string =>
  /^".*"$/s.test(text) ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text
