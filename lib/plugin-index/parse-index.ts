import type { z } from 'zod'
import { AppError } from '@/lib/errors'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'
import {
  type ListedPlugin,
  listedPlugin,
  MAX_PLUGINS,
  MAX_VERSIONS,
  type PluginIndexFile,
  pluginIndexFile,
} from './contract'

/**
 * The index in the bytes of a file. Throws `upstream_failed` with the first fault, without what was received: an index is
 * taken as a whole, and what it costs to refuse one does not depend on how much is wrong with it.
 */
export function parseIndex(bytes: Uint8Array): PluginIndexFile {
  const json = readObject(bytes)
  const plugins = Array.isArray(json.plugins) ? json.plugins : []
  if (plugins.length > MAX_PLUGINS) throw invalid(`it has more than ${MAX_PLUGINS} plugins`)
  const head = checked(
    pluginIndexFile,
    { ...json, plugins: plugins === json.plugins ? [] : json.plugins },
    '',
  )
  const seen = new Set<string>()
  return { ...head, plugins: plugins.map((one, at) => readPlugin(one, `plugins.${at}.`, seen)) }
}

function readPlugin(json: Json, place: string, seen: Set<string>): ListedPlugin {
  const versions = isObject(json) ? json.versions : null
  if (Array.isArray(versions) && versions.length > MAX_VERSIONS)
    throw invalid(`${place}versions has more than ${MAX_VERSIONS}`)
  const plugin = checked(listedPlugin, json, place)
  if (seen.has(plugin.id)) throw invalid(`${place}id is there twice`)
  seen.add(plugin.id)
  const names = new Set(plugin.versions.map(({ version }) => version))
  if (names.size < plugin.versions.length) throw invalid(`${place}versions has one of them twice`)
  return plugin
}

function checked<T extends z.ZodType>(schema: T, json: unknown, place: string): z.infer<T> {
  const result = schema.safeParse(json)
  if (result.success) return result.data
  const [first] = result.error.issues
  throw invalid(`${place}${first?.path.join('.')}: ${first?.message}`)
}

function readObject(bytes: Uint8Array): JsonObject {
  try {
    const json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (isObject(json)) return json
  } catch {}
  throw invalid('it is no JSON object')
}

const invalid = (why: string) =>
  new AppError('upstream_failed', `The plugin index is not valid: ${why}`)
