import { formatBytes } from '@/lib/format-bytes'
import { isObject, type JsonObject } from '@/lib/json'
import { FileFailure } from '../verdict'
import { NotRecordsError, scanWhole } from './read-records'

/** Of engineplugin.json and of each `__manifest__.json`. */
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
    if (isObject(value)) return value
  } catch (error) {
    if (error instanceof FileFailure)
      throw new Error(`must not hold more than ${MAX_MANIFEST_VALUES} values`)
    if (!(error instanceof NotRecordsError)) throw error
  }
  throw new Error('must be a JSON object')
}
