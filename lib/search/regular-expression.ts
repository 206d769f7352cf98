import { textPattern } from '@/lib/definitions/text-pattern'

/** PostgreSQL's limit of `{n,m}`. */
const MAX_REPETITIONS = 255
const TOKEN =
  /\\[\s\S]|\[\^?\]?(?:\[:[^\]]*:\]|\\[\s\S]|[^\]\\])*\]|\(\?(?::|[^)]*\)?)|\{\d+(?:,\d*)?\}\??|[*+?]\??|[\s\S]/gu
const QUANTIFIER = /^(?:[*+?]\??|\{\d+(?:,\d*)?\}\??)$/

/** ASCII only, as in RE2; PostgreSQL's own classes cover every language. */
const WORD = '[0-9A-Za-z_]'

const ESCAPES: Record<string, string> = {
  d: '[0-9]',
  D: '[^0-9]',
  w: WORD,
  W: '[^0-9A-Za-z_]',
  s: '[\\t\\n\\f\\r ]',
  S: '[^\\t\\n\\f\\r ]',
  A: '\\A',
  z: '\\Z',
  b: `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`,
  B: `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`,
}
const CLASS_ESCAPES: Record<string, string> = { d: '0-9', w: '0-9A-Za-z_', s: '\\t\\n\\f\\r ' }
/** Matches of the empty text, which can't be repeated. */
const POSITIONS = new Set(['^', '$', '\\A', '\\z', '\\b', '\\B'])

/**
 * A regular expression for PostgreSQL that matches where the RE2 pattern does; a leading `(?i)` makes it
 * case-insensitive. Throws an Error whose message completes "The pattern is": for patterns that RE2
 * refuses, that would cost too much, and for syntax that the two do not share.
 */
export function toRegularExpression(pattern: string): string {
  textPattern(pattern) // throws when RE2 refuses it
  const ignoresCase = pattern.startsWith('(?i)')
  let isRepeatable = false
  const body = (ignoresCase ? pattern.slice(4) : pattern).replace(TOKEN, (token) => {
    const isQuantifier = QUANTIFIER.test(token)
    if (isQuantifier && !isRepeatable) throw unsupported(token)
    isRepeatable = !isQuantifier && !POSITIONS.has(token) && !/^(\(.*|\|)$/.test(token)
    if (isQuantifier) return quantifier(token)
    return ignoresCase ? translateInAnyCase(token) : translate(token)
  })
  return `(?${ignoresCase ? 'i' : 'c'})${body}`
}

const SIGMAS = 'Σσς'

/** PostgreSQL takes the final sigma for a letter of its own, RE2 for a form of the other. */
function translateInAnyCase(token: string): string {
  if (SIGMAS.includes(token)) return `[${SIGMAS}]`
  const translated = translate(token)
  if (!token.startsWith('[') || token.length === 1) return translated
  const isListed = textPattern(`(?i)${token}`).isFoundIn('σ') !== token.startsWith('[^')
  return isListed ? `${translated.slice(0, -1)}${SIGMAS}]` : translated
}

function translate(token: string): string {
  if (token === '.') return '[^\\n]'
  if (token === '{' || token === '}' || token === ']') return `\\${token}`
  if (token.startsWith('\\')) return escaped(token, ESCAPES)
  if (token.startsWith('[') && token.length > 1) return characterClass(token)
  if (token.startsWith('(?') && token !== '(?:') throw unsupported(token)
  return token
}

function escaped(token: string, known: Record<string, string>): string {
  const character = token.slice(1)
  const found = Object.hasOwn(known, character) ? known[character] : undefined
  if (found !== undefined) return found
  // A literal of punctuation, or an escape with the same meaning in both.
  if (/^[^A-Za-z0-9\s]$/u.test(character) || /^[nrtfv]$/.test(character)) return token
  throw unsupported(token)
}

function characterClass(token: string): string {
  const [, negation = '', inner = ''] = /^\[(\^?)([\s\S]*)\]$/.exec(token) ?? []
  const items = inner.replace(/\\[\s\S]|\[:[^\]]*:\]|\[/gu, (item) => {
    if (item.startsWith('\\')) return escaped(item, CLASS_ESCAPES)
    // The two differ in which languages the named classes cover.
    if (item !== '[') throw unsupported(item)
    return '\\['
  })
  return `[${negation}${items.replace(/^\]/, '\\]')}]`
}

function quantifier(token: string): string {
  const counts = token.match(/\d+/g) ?? []
  if (counts.some((count) => Number(count) > MAX_REPETITIONS))
    throw new Error(`too complex: ${token} repeats more than ${MAX_REPETITIONS} times`)
  return token
}

const unsupported = (token: string) => new Error(`not supported: ${token.slice(0, 40)}`)
