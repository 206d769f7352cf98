import { isObject, type Json, type JsonObject } from '@/lib/json'

/** Where `${config.x}` and `${manifest.x}` look for `x`: the first object that has it wins. */
export type Variables = { config: JsonObject[]; manifest: JsonObject[] }

const PLACEHOLDER = /\$\{(config|manifest)\.([\w.-]+)\}/g

/**
 * Replaces placeholders inside every string value of `value` (not in keys), once: what a variable
 * brings is not searched again. Unknown names stay as they are; objects come as JSON text.
 */
export function substitute<T extends Json>(value: T, variables: Variables): T {
  return replaceIn(value, variables) as T
}

function replaceIn(value: Json, variables: Variables): Json {
  if (typeof value === 'string') return value.includes('${') ? replaceText(value, variables) : value
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, variables))
  if (!isObject(value)) return value
  // fromEntries defines own keys, so that "__proto__" stays data.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaceIn(item, variables)]),
  )
}

const replaceText = (text: string, variables: Variables) =>
  text.replace(PLACEHOLDER, (literal, scope: keyof Variables, name: string) => {
    const found = variables[scope]
      .map((source) => lookUp(source, name))
      .find((value) => value !== undefined)
    if (found === undefined) return literal
    return typeof found === 'string' ? found : JSON.stringify(found)
  })

/** `a.b` is the key "a.b", or else `b` inside `a`. */
function lookUp(source: JsonObject, name: string): Json | undefined {
  if (Object.hasOwn(source, name)) return source[name]
  let value: Json | undefined = source
  for (const key of name.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined
    value = value[key]
  }
  return value
}
