import { z } from 'zod'
import { word } from '@/lib/definitions/entity-input'
import type { FileDetail } from '@/lib/definitions/file-detail'
import { unstorableText } from '@/lib/definitions/unstorable-text'
import { AppError, messageOf } from '@/lib/errors'
import type { OnConflict } from '@/lib/plugins/lifecycle/origin'
import { type JsonObject, JsonSyntaxError } from '@/lib/values/json'
import { nameFault } from '@/lib/values/name-fault'
import { readManifestJson } from './read-manifest'

/** The content of engineplugin.json; `raw` is all of it, unknown keys included. */
export type PluginManifest = {
  id: string
  name: string
  version: string | null
  description: string | null
  author: string | null
  license: string | null
  /** A data URI. */
  image: string | null
  /** What decides about records that were changed here; null: not given. */
  onConflict: OnConflict | null
  variables: JsonObject
  raw: JsonObject
}

const MAX_IMAGE_CHARS = 512 * 1024
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
  const { id, name, version, description, author, license, image, onConflict, variables } =
    result.data
  return {
    id,
    name: name || id,
    version: version == null ? null : String(version),
    description: description ?? null,
    author: typeof author === 'object' ? (author?.name ?? null) : (author ?? null),
    license: license ?? null,
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
