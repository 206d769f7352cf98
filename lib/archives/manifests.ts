import { z } from 'zod'
import type { InsertDuplicate } from '@/lib/definitions/definition'
import type { FileDetail } from '@/lib/definitions/definition-faults'
import { word } from '@/lib/definitions/entity-input'
import { unstorableText } from '@/lib/definitions/unstorable-text'
import { AppError, messageOf } from '@/lib/errors'
import { formatBytes } from '@/lib/values/format-bytes'
import {
  isObject,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  literalOf,
  parseJson,
} from '@/lib/values/json'
import { nameFault } from '@/lib/values/name-fault'
import { isInRange, VERSION_RANGE } from '@/lib/values/version-range'
import { version as engineVersion } from '@/package.json'
import { FileFailure, type OnConflict } from './plugin-file'
import { NotRecordsError, scanWhole } from './read-records'

/** The content of engineplugin.json; `raw` is all of it, unknown keys included. */
export type PluginManifest = {
  id: string
  name: string
  version: string | null
  description: string | null
  author: string | null
  license: string | null
  /** What is new in this version, as plain text. */
  changes: string | null
  /** Versions of the engine that it works with. */
  engine: string | null
  /** A data URI. */
  image: string | null
  /** What decides about records that were changed here; null: not given. */
  onConflict: OnConflict | null
  variables: JsonObject
  raw: JsonObject
}

const MAX_IMAGE_CHARS = 512 * 1024
/** About three pages. */
export const MAX_CHANGES_CHARS = 10_000
const label = (max: number) => z.string().trim().max(max).nullish()

/** engineplugin.json as written. */
export const pluginInput = z.looseObject({
  id: z
    .string('needs an id')
    .max(200)
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9][A-Za-z0-9_-]*)+$/,
      'must be in reverse-domain style, such as "com.example.shop"',
    ),
  name: label(200),
  version: z.union([z.string().trim().max(100), z.number()]).nullish(),
  description: label(10_000),
  author: z.union([z.string().max(500), z.looseObject({ name: z.string().max(500) })]).nullish(),
  license: label(500),
  changes: label(MAX_CHANGES_CHARS),
  engine: z.string().regex(VERSION_RANGE, 'must be like ">=1.2 <2"').nullish(),
  image: z
    .string()
    .max(MAX_IMAGE_CHARS, 'must be at most 512 KiB')
    .regex(/^data:image\/(png|jpeg|gif|webp|avif|svg\+xml)[;,]/, 'must be a data URI of an image')
    .nullish(),
  onConflict: word('keep', 'take', 'fail').nullish(),
  variables: z.record(z.string(), z.json()).nullish(),
})

/** The keys that the engine uses; others are kept. */
export const PLUGIN_KEYS = Object.keys(pluginInput.shape)

/** How labels are changed, in words: outer spaces are cut, and a blank name is ignored; and what is wrong with a name. */
export function labelWarnings(raw: JsonObject, path: string): FileDetail[] {
  const unclear = typeof raw.name === 'string' ? nameFault(raw.name.trim()) : null
  const warned = LABELS.flatMap((key) => {
    const text = raw[key]
    if (typeof text !== 'string' || text === text.trim()) return []
    const isBlankName = key === 'name' && text.trim() === ''
    const what = isBlankName
      ? 'is blank, so the plugin is called by its id'
      : `is taken as ${JSON.stringify(text.trim().slice(0, 80))}, without its outer spaces`
    return [{ pointer: `/${key}`, message: `${path}: "${key}" ${what}` }]
  })
  if (unclear === null) return warned
  return [...warned, { pointer: '/name', message: `${path}: ${notNew(unclear)}` }]
}

/** That the plugin says it does not work with this engine. */
export const engineWarnings = ({ engine }: PluginManifest, path: string): FileDetail[] =>
  engine === null || isInRange(engineVersion, engine)
    ? []
    : [
        {
          pointer: '/engine',
          message: `${path}: made for the engine ${engine}; this is ${engineVersion}`,
        },
      ]

const notNew = (why: string) => `"name" is refused of a plugin that is not installed yet: ${why}`

const LABELS = ['name', 'version', 'description', 'license'] as const

/** Reads engineplugin.json. Throws `invalid_input` naming every fault, or the position of a syntax error. */
export function parsePluginManifest(bytes: Uint8Array, path: string): PluginManifest {
  const raw = read(bytes, path)
  requireStorable(raw, path)
  const result = pluginInput.safeParse(raw)
  if (!result.success) {
    const faults = result.error.issues.map(
      (issue) => `${issue.path.join('.') || 'it'} ${issue.message}`,
    )
    throw new AppError('invalid_input', `${path} is invalid: ${faults.join('; ')}`)
  }
  const { id, name, version, description, author, license, changes } = result.data
  const { engine, image, onConflict, variables } = result.data
  return {
    id,
    name: name || id,
    version: version == null ? null : String(version),
    description: description ?? null,
    author: typeof author === 'object' ? (author?.name ?? null) : (author ?? null),
    license: license ?? null,
    changes: changes || null,
    engine: engine ?? null,
    image: image ?? null,
    onConflict: onConflict ?? null,
    variables: variables ?? {},
    raw,
  }
}

/** Throws `invalid_input` unless the database can store all of its texts. */
function requireStorable(raw: JsonObject, path: string): void {
  const [first] = unstorableText(raw)
  if (!first) return
  const place = first.pointer?.slice(1).replaceAll('/', '.') || 'it'
  throw new AppError('invalid_input', `${path} is invalid: ${place}: ${first.message}`)
}

function read(bytes: Uint8Array, path: string) {
  try {
    return readManifestJson(bytes)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError))
      throw new AppError('invalid_input', `${path} is invalid: it ${messageOf(error)}`)
    throw new AppError('invalid_input', `${path} is not valid JSON: ${error.message}`)
  }
}

/** The content of a `__manifest__.json`, which applies to the content files below its folder. */
export type ComponentManifest = {
  target: string | null
  dependencies: string[]
  /** Overrides the entity's own; null: not given. */
  insertDuplicate: InsertDuplicate | null
  /** Overrides the plugin's own; null: not given. */
  onConflict: OnConflict | null
  variables: JsonObject
  raw: JsonObject
}

/** A manifest as written. */
export const componentInput = z.looseObject({
  target: z.string().trim().min(1).max(200).nullish(),
  dependencies: z.array(z.string().trim().min(1).max(200)).max(1000).nullish(),
  insertDuplicate: word('Error', 'Upsert', 'Ignore').nullish(),
  onConflict: word('keep', 'take', 'fail').nullish(),
  variables: z.record(z.string(), z.json()).nullish(),
})

/** The keys that the engine uses; others are kept. */
export const COMPONENT_KEYS = Object.keys(componentInput.shape)

/** Throws an Error whose message names every fault. */
export function parseComponentManifest(json: Json): ComponentManifest {
  if (!isObject(json)) throw new Error('must be a JSON object')
  const result = componentInput.safeParse(json)
  if (!result.success) {
    const faults = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new Error(faults.join('; '))
  }
  const { target, dependencies, insertDuplicate, onConflict, variables } = result.data
  return {
    target: target ?? null,
    dependencies: [...new Set(dependencies ?? [])],
    insertDuplicate: insertDuplicate ?? null,
    onConflict: onConflict ?? null,
    variables: variables ?? {},
    raw: json,
  }
}

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
