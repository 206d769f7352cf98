import type { Entity } from '@/lib/definitions/definition'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns a function that reads a `persistenceId` as the fields of a key; null when it does not fit. */
export function keyParser({ keys, properties }: Entity): (text: string) => JsonObject | null {
  const parts = keys.map((name) => {
    const property = properties.find((one) => one.name === name)
    return { name, isNumber: property?.kind !== 'text', isUuid: property?.type === 'uuid' }
  })
  return (text) => {
    const object = parts.length === 1 ? { [parts[0]?.name ?? '']: text } : decoded(text)
    if (!object) return null
    const key: JsonObject = {}
    for (const { name, isNumber, isUuid } of parts) {
      const value = String(object[name] ?? '')
      const fits = isNumber ? /^-?\d+$/.test(value) : value !== '' && (!isUuid || UUID.test(value))
      if (!fits) return null
      key[name] = isNumber && Number.isSafeInteger(Number(value)) ? Number(value) : value
    }
    return key
  }
}

function decoded(text: string): JsonObject | null {
  try {
    const value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Json
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
