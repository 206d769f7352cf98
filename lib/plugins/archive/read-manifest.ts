import { NotRecordsError, scanWhole } from '@/lib/plugins/content/read-records'
import { FileFailure } from '@/lib/plugins/verdict'
import { literalOf } from '@/lib/values/exact-numbers'
import { formatBytes } from '@/lib/values/format-bytes'
import { isObject, type Json, type JsonObject, parseJson } from '@/lib/values/json'

/** For engineplugin.json and each `__manifest__.json`. */
export const MAX_MANIFEST_BYTES = 1024 * 1024
const MAX_MANIFEST_VALUES = 20_000

/**
 * The object in a manifest. Throws `JsonSyntaxError`, or an Error whose message follows the file's
 * path: `must be a JSON object`.
 */
export function readManifestJson(bytes: Uint8Array): JsonObject {
  if (bytes.length > MAX_MANIFEST_BYTES)
    throw new Error(`must not be larger than ${formatBytes(MAX_MANIFEST_BYTES)}`)
  try {
    const value = scanWhole(bytes, { maxValues: MAX_MANIFEST_VALUES })
    if (isObject(value)) {
      requireExactNumbers(bytes)
      return value
    }
  } catch (error) {
    if (error instanceof FileFailure)
      throw new Error(`must not contain more than ${MAX_MANIFEST_VALUES} values`)
    if (!(error instanceof NotRecordsError)) throw error
  }
  throw new Error('must be a JSON object')
}

/** Every key can be used as a variable in texts, so numbers must keep the digits that were written. */
function requireExactNumbers(bytes: Uint8Array): void {
  for (const [key, value] of Object.entries(parseJson(bytes, { exactly: true }) as JsonObject)) {
    const rounded = inexactNumberIn(value)
    if (rounded === null) continue
    throw new Error(
      `must give the number ${rounded.slice(0, 100)} in ${JSON.stringify(key.slice(0, 100))} as text: it has more digits than a number keeps`,
    )
  }
}

function inexactNumberIn(value: Json): string | null {
  const literal = literalOf(value)
  if (literal !== null || typeof value !== 'object' || value === null) return literal
  for (const item of Object.values(value)) {
    const found = inexactNumberIn(item)
    if (found !== null) return found
  }
  return null
}
