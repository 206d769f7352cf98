import { exactJsonText, isNested, parseExactJson, plainText } from '@/lib/values/exact-json'
import { isJsonNumber } from '@/lib/values/numeric-text'

export type PairKind = 'text' | 'number' | 'boolean' | 'null' | 'json'

/** A key of an object with its value as it is typed; `id` keeps it apart while its key changes. */
export type Pair = { id: string; key: string; kind: PairKind; text: string }

export const newPair = (): Pair => ({ id: crypto.randomUUID(), key: '', kind: 'text', text: '' })

/** The pairs of the object that a JSON text is, none for an empty text; null where it is none, or has the key "". */
export function pairsOf(json: string): Pair[] | null {
  if (json.trim() === '') return []
  try {
    const value = parseExactJson(json)
    if (!isNested(value) || Array.isArray(value) || '' in value) return null
    return Object.entries(value).map(([key, one]) => {
      const kind = kindOf(one)
      const text = kind === 'json' ? exactJsonText(one) : kind === 'null' ? '' : plainText(one)
      return { id: crypto.randomUUID(), key, kind, text }
    })
  } catch {
    return null
  }
}

function kindOf(value: unknown): PairKind {
  if (value === null) return 'null'
  if (isNested(value)) return 'json'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' ? 'text' : 'number'
}

/** An untouched row is no pair. */
const isBlank = ({ key, kind, text }: Pair) => key === '' && kind === 'text' && text === ''

/** The JSON text of the pairs, numbers with every digit. It can't be parsed while one of them is wrong. */
export function pairsText(pairs: readonly Pair[]): string {
  const filled = pairs.filter((pair) => !isBlank(pair))
  const parts = filled.map((pair) => {
    // In such brackets a key is no JSON: what is wrong can't be saved.
    const key = faultOf(pair, filled) ? `<${pair.key}>` : JSON.stringify(pair.key)
    return `${key}:${valueText(pair)}`
  })
  const text = `{${parts.join(',')}}`
  return filled.some((pair) => faultOf(pair, filled))
    ? text
    : exactJsonText(parseExactJson(text), 2)
}

const valueText = ({ kind, text }: Pair): string =>
  kind === 'text' ? JSON.stringify(text) : kind === 'null' ? 'null' : text.trim()

/** What is wrong with a pair, or null. */
export function faultOf({ id, key, kind, text }: Pair, pairs: readonly Pair[]): string | null {
  if (key === '') return kind === 'text' && text === '' ? null : 'Enter a key'
  if (pairs.some((other) => other.id !== id && other.key === key)) return 'This key is used twice'
  if (kind === 'number' && !isJsonNumber(text.trim())) return 'Enter a number, such as 12 or 0.5'
  return kind === 'json' ? jsonFault(text) : null
}

function jsonFault(text: string): string | null {
  try {
    parseExactJson(text)
    return null
  } catch (error) {
    return `Not valid JSON: ${(error as Error).message}`
  }
}

/** The pair as another kind of value; what was typed stays where it means something there. */
export function withKind(pair: Pair, kind: PairKind): Pair {
  const { text } = pair
  if (kind === 'boolean') return { ...pair, kind, text: text === 'true' ? 'true' : 'false' }
  if (kind === 'null') return { ...pair, kind, text: '' }
  if (kind === 'json' && pair.kind !== 'json') return { ...pair, kind, text: valueText(pair) }
  return { ...pair, kind, text }
}
