import { isObject, type Json, parseJson, stringifyExactly } from '@/lib/values/json'

/**
 * Installing replaces `${config.x}` and `${manifest.x}` in every text. A stored text that contains one is
 * written with a variable of its manifest in place of the `$`; replacements are not searched again.
 */
export const ESCAPE_VARIABLES = { dollar: '$' }

const PLACEHOLDER = /\$(?=\{(?:config|manifest)\.[\w.-]+\})/g
const ESCAPED = `\${manifest.${Object.keys(ESCAPE_VARIABLES)[0]}}`

/** Whether a JSON text may contain a placeholder. */
export const mayHoldPlaceholder = (text: string) => text.search(PLACEHOLDER) >= 0

/** The value with its placeholders escaped; keys are never replaced, so they stay. */
export function escapeVariables<T extends Json>(value: T): T {
  return replaceIn(value) as T
}

function replaceIn(value: Json): Json {
  if (typeof value === 'string') return value.replace(PLACEHOLDER, ESCAPED)
  if (Array.isArray(value)) return value.map(replaceIn)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceIn(item)]))
}

/** The same for the text of one record; numbers keep every digit. */
export const escapeVariablesInText = (text: string): string =>
  stringifyExactly(escapeVariables(parseJson(text, { exactly: true })))
