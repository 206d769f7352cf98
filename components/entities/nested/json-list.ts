import { exactJsonText, isNested, parseExactJson } from '@/lib/values/exact-json'
import { isJsonNumber } from '@/lib/values/numeric-text'

/** A list of texts, or of numbers with every digit. */
export type List = { kind: 'text' | 'number'; items: string[] }

/** The list that a JSON text is, where tags can hold it: all of one kind, each once, without commas. */
export function listOf(json: string): List | null {
  if (json.trim() === '') return { kind: 'text', items: [] }
  try {
    const value = parseExactJson(json)
    if (!Array.isArray(value) || value.some((item) => item === null || isNested(item))) return null
    const kinds = new Set(value.map((item) => typeof item))
    const kind = kinds.has('string') || kinds.size === 0 ? 'text' : 'number'
    const items = value.map(String)
    const isEven = kind === 'text' ? kinds.size <= 1 : !kinds.has('boolean')
    return isEven && items.every(isTag) && new Set(items).size === items.length
      ? { kind, items }
      : null
  } catch {
    return null
  }
}

const isTag = (item: string) => item !== '' && item.trim() === item && !/[,\n\r]/.test(item)

/** The JSON text of a list. It can't be parsed while an item is not of its kind. */
export function listText({ kind, items }: List): string {
  if (kind === 'text') return exactJsonText(items, 2)
  if (wrongItems({ kind, items }).length > 0) return `[${items.map((item) => `<${item}>`)}]`
  return exactJsonText(parseExactJson(`[${items}]`), 2)
}

/** The items that are no numbers in a list of numbers. */
export const wrongItems = ({ kind, items }: List): string[] =>
  kind === 'number' ? items.filter((item) => !isJsonNumber(item)) : []
