import { type ExactJson, exactJsonText, isNested, parseExactJson } from '@/lib/values/exact-json'

export type ExactObject = { [key: string]: ExactJson }

const isObject = (value: ExactJson): value is ExactObject =>
  isNested(value) && !Array.isArray(value)

/** Name and value as shown in the form. */
export type Entry = [name: string, value: string]

/** The profile that a text contains, or null if it is not a JSON object. */
export function parseProfile(text: string): ExactObject | null {
  try {
    const value = parseExactJson(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

export function jsonFault(text: string): string | undefined {
  try {
    return isObject(parseExactJson(text)) ? undefined : 'The profile must be a JSON object'
  } catch (error) {
    return `Not valid JSON: ${(error as Error).message}`
  }
}

/** Text is shown without quotes, everything else as JSON: `5` is a number, `"5"` a text. */
export function entriesOf(text: string): Entry[] | null {
  const profile = parseProfile(text)
  return profile && Object.entries(profile).map(([name, value]) => [name, shown(value)])
}

export const withEntries = (entries: readonly Entry[]): string =>
  exactJsonText(Object.fromEntries(entries.map(([name, value]) => [name, meant(value)])), 2)

const shown = (value: ExactJson): string =>
  typeof value === 'string' && meant(value) === value ? value : exactJsonText(value)

function meant(text: string): ExactJson {
  try {
    return parseExactJson(text)
  } catch {
    return text
  }
}
