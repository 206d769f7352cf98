import { setImmediate as otherRequests } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { baseName } from '@/lib/archives/open-archive'
import {
  type Definitions,
  FileFailure,
  type PlannedFile,
  type PluginFile,
  type Refused,
} from '@/lib/archives/plugin-file'
import { readDefinitions, toFailure } from '@/lib/archives/read-content'
import type { TypeDefinition } from '@/lib/definitions/definition'
import type { FileDetail, Parsed } from '@/lib/definitions/definition-faults'
import { entityWarnings, schemaWarnings, typeWarnings } from '@/lib/definitions/definition-warnings'
import { parseEntityDefinition } from '@/lib/definitions/parse-entity-definition'
import { parseSchemaDefinition } from '@/lib/definitions/parse-schema-definition'
import { parseTypeDefinition } from '@/lib/definitions/parse-type-definition'
import { parseWebhookDefinition } from '@/lib/definitions/parse-webhook-definition'
import { POLICY_KEYS, ROLE_KEYS } from '@/lib/definitions/policy'
import { typeKey } from '@/lib/definitions/property-types'
import type { Types } from '@/lib/definitions/resolve-type'
import { outerSpaces, unknownKeys } from '@/lib/definitions/unknown-keys'
import { parsePolicy, parseRole } from '@/lib/policies/parse-policy'
import { toStored } from '@/lib/tables/definition-transaction'
import type { JsonObject } from '@/lib/values/json'

/** Targets that always exist. */
export const DEFINITION_TARGETS: ReadonlyMap<string, Definitions['kind']> = new Map([
  ['EngineTypes', 'type'],
  ['EngineSchemas', 'schema'],
  ['EngineEntities', 'entity'],
  ['EngineRoles', 'role'],
  ['EnginePolicies', 'policy'],
  ['EngineWebhooks', 'webhook'],
])

/** A file whose definitions are read; nothing else is known yet. */
export type Draft = PluginFile & Pick<PlannedFile, 'definitions' | 'refused' | 'local' | 'renamed'>

/** The file's meaning by manifest and folder; undefined for data. */
export const kindOf = ({ target, folderName }: PluginFile) =>
  DEFINITION_TARGETS.get(target ?? folderName)

/** Reads and parses the definitions of files; `types` can be the types of properties. */
export async function draftAll(files: PluginFile[], types: Types): Promise<Draft[]> {
  const drafts: Draft[] = []
  for (const file of files) {
    await otherRequests()
    const made = await draft(file, types)
    const kind = kindOf(file)
    if (made.failure && kind) drafts.push({ ...made, refused: await refusedIn(file, kind, types) })
    else drafts.push(made)
  }
  return drafts
}

async function draft(file: PluginFile, types: Types): Promise<Draft> {
  const kind = kindOf(file)
  if (!kind || file.failure) return { ...file, definitions: null }
  try {
    const { items, warnings: rounded } = await readDefinitions(file)
    const warnings = [...file.warnings, ...rounded, ...warningsOf(kind, items)]
    return { ...file, ...parseDefinitions(kind, items, types), warnings }
  } catch (error) {
    const failure = toFailure(error)
    if (!failure) throw error
    return { ...file, definitions: null, failure }
  }
}

type ParsedFile = Pick<PlannedFile, 'definitions' | 'failure'>

/** The definitions of a file, or why it can't be installed: all of them or none. */
function parseDefinitions(
  kind: Definitions['kind'],
  items: readonly JsonObject[],
  types: Types,
): ParsedFile {
  if (items.length === 0) return refused([{ message: 'The file contains no definition' }])
  switch (kind) {
    case 'type':
      return collect(items.map(parseTypeDefinition), (all) => ({ kind, items: all }))
    case 'role':
      return collect(items.map(parseRole), (all) => ({ kind, items: all }))
    case 'policy':
      return collect(items.map(parsePolicy), (all) => ({ kind, items: all }))
    case 'webhook':
      return collect(items.map(parseWebhookDefinition), (all) => ({ kind, items: all }))
    case 'entity':
      return collect(items.map(parseEntityDefinition), (all) => ({ kind, items: all }))
    case 'schema':
      return collect(
        items.map((item) => parseSchemaDefinition(item, types)),
        (all) => ({ kind, items: all }),
      )
  }
}

function collect<T>(parsed: Parsed<T>[], toDefinitions: (items: T[]) => Definitions): ParsedFile {
  const faults = parsed.flatMap((each, index) =>
    'faults' in each ? each.faults.map((fault) => ({ index, ...fault })) : [],
  )
  if (faults.length > 0) return refused(faults)
  const items = parsed.flatMap((each) => ('definition' in each ? [each.definition] : []))
  return { definitions: toDefinitions(items), failure: null }
}

const refused = (details: FileDetail[]): ParsedFile => ({
  definitions: null,
  failure: new FileFailure('Invalid definition', details),
})

/** Warnings about parts without effect in the definitions of one file, each with its definition's index. */
const warningsOf = (kind: Definitions['kind'], items: readonly JsonObject[]): FileDetail[] =>
  items.flatMap((item, index) => WARNINGS[kind](item).map((warning) => ({ index, ...warning })))

const WARNINGS: Record<Definitions['kind'], (item: JsonObject) => FileDetail[]> = {
  type: typeWarnings,
  schema: schemaWarnings,
  entity: entityWarnings,
  role: (item) => principalWarnings(item, ROLE_KEYS),
  policy: (item) => principalWarnings(item, POLICY_KEYS),
  webhook: () => [],
}

/** Roles and policies may have unknown keys. */
function principalWarnings(item: JsonObject, keys: readonly string[]): FileDetail[] {
  return [...outerSpaces(item, ['name']), ...unknownKeys(item, '', keys, { onlyNear: true })]
}

/** What a file that can't be installed defines; by its own name, and all that its text names, when its content can't be read. */
async function refusedIn(
  file: PluginFile,
  kind: Definitions['kind'],
  types: Types,
): Promise<Refused[]> {
  if (kind === 'role' || kind === 'policy' || kind === 'webhook') return []
  const byFile = baseName(file.path).replace(/\.json$/i, '')
  try {
    const { items } = await readDefinitions(file)
    return items.map((json) => {
      const item = parseDefinitions(kind, [json], types).definitions?.items[0] ?? null
      return {
        name: typeof json.name === 'string' ? json.name : byFile,
        item: item as Refused['item'],
      }
    })
  } catch (error) {
    if (!toFailure(error)) throw error
    return [...new Set([byFile, ...namesIn(file)])].map((name) => ({ name, item: null }))
  }
}

/** Names of definitions, and of properties, which may be one too many. */
function namesIn({ bytes }: PluginFile): string[] {
  const text = Buffer.from(bytes.subarray(0, MAX_BYTES)).toString()
  return [...text.matchAll(/"name"\s*:\s*"(\w+)"/g)].flatMap(([, name]) => name ?? [])
}

/** What is read of a file that is too large, too. */
const MAX_BYTES = 4 * 1024 * 1024

/** The installed types but those that the archive would define otherwise and that are refused. */
export const withoutRefused = (
  installed: readonly TypeDefinition[],
  refused: readonly Refused[],
): TypeDefinition[] =>
  installed.filter((type) =>
    refused.every(
      ({ name, item }) =>
        typeKey(name) !== typeKey(type.name) || isDeepStrictEqual(item && toStored(item), type),
    ),
  )
