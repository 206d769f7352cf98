import { isObject, type Json, type JsonObject } from '@/lib/json'

/** Name and value as they stand in the form. */
export type Entry = [name: string, value: string]

/** The profile that a text says, or null when it says none. */
export function parseProfile(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

export function jsonFault(text: string): string | undefined {
  try {
    return isObject(JSON.parse(text)) ? undefined : 'The profile must be a JSON object'
  } catch (error) {
    return `This is not JSON yet: ${(error as Error).message}`
  }
}

/** Text stands bare, everything else as JSON: `5` is a number, `"5"` a text. */
export function entriesOf(text: string): Entry[] | null {
  const profile = parseProfile(text)
  return profile && Object.entries(profile).map(([name, value]) => [name, shown(value)])
}

export const withEntries = (entries: readonly Entry[]): string =>
  JSON.stringify(Object.fromEntries(entries.map(([name, value]) => [name, meant(value)])), null, 2)

const shown = (value: Json): string =>
  typeof value === 'string' && meant(value) === value ? value : JSON.stringify(value)

function meant(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
