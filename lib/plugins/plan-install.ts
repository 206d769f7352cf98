import { setImmediate as otherRequests } from 'node:timers/promises'
import { parsePolicy, parseRole } from '@/lib/auth/policies/parse-policy'
import { isSystemEntity } from '@/lib/auth/rights'
import type { Entity, TypeDefinition } from '@/lib/entities/definition'
import type { Parsed } from '@/lib/entities/definitions/faults'
import { parseEntityDefinition } from '@/lib/entities/definitions/parse-entity-definition'
import { parseSchemaDefinition } from '@/lib/entities/definitions/parse-schema-definition'
import { parseTypeDefinition } from '@/lib/entities/definitions/parse-type-definition'
import { type Types, typesByName } from '@/lib/entities/definitions/resolve-type'
import type { JsonObject } from '@/lib/json'
import { suggestion } from '@/lib/nearest'
import { namesOfFailedSchemas, withFailedSchemas } from './failed-schemas'
import type { FileKind } from './file-report'
import type { Definitions, InstallPlan, PlannedFile } from './install-plan'
import { orderFiles } from './order-files'
import type { ContentFile, ParsedPlugin } from './parse-plugin'
import { readContent, toFailure } from './read-content'
import { refuseTypeCircles } from './refuse-type-circles'
import { FileFailure } from './verdict'

/** Targets that are always there. */
const DEFINITION_TARGETS: ReadonlyMap<string, Definitions['kind']> = new Map([
  ['EngineTypes', 'type'],
  ['EngineSchemas', 'schema'],
  ['EngineEntities', 'entity'],
  ['EngineRoles', 'role'],
  ['EnginePolicies', 'policy'],
])

/** What is installed already. */
export type Installed = { entities: readonly Entity[]; types: readonly TypeDefinition[] }

type Draft = { content: ContentFile; definitions: Definitions | null; failure: FileFailure | null }

/**
 * Decides what each file of a plugin is, what it needs and when its turn comes. Reads the
 * definitions (data is read when its turn comes) and writes nothing.
 */
export async function planInstall(
  plugin: ParsedPlugin,
  installed: Installed,
): Promise<InstallPlan> {
  const isType = (content: ContentFile) => kindOf(content) === 'type'
  const types = await draftAll(plugin.files.filter(isType), new Map())
  const known = typesByName([...installed.types, ...types.flatMap(typesIn)])
  const drafts = [
    ...types,
    ...(await draftAll(
      plugin.files.filter((file) => !isType(file)),
      known,
    )),
  ]
  const targets = knownTargets(drafts, installed.entities)
  const failedSchemas = await namesOfFailedSchemas(drafts.filter(isFailedSchema))
  const files = refuseSecondDefinitions(
    drafts.map((draft) => withFailedSchemas(resolve(draft, targets), failedSchemas)),
  )
  const sound = refuseTypeCircles(files, installed.types)
  return { manifest: plugin.manifest, files: orderFiles(sound, installed.entities) }
}

const kindOf = ({ target, folderName }: ContentFile) => DEFINITION_TARGETS.get(target ?? folderName)
const isFailedSchema = ({ content, failure }: Draft) =>
  failure !== null && kindOf(content) === 'schema'
const typesIn = ({ definitions }: Draft) => (definitions?.kind === 'type' ? definitions.items : [])

async function draftAll(files: ContentFile[], types: Types): Promise<Draft[]> {
  const drafts: Draft[] = []
  for (const content of files) {
    await otherRequests()
    drafts.push(await draft(content, types))
  }
  return drafts
}

async function draft(content: ContentFile, types: Types): Promise<Draft> {
  const kind = kindOf(content)
  if (!kind || content.failure) return { content, definitions: null, failure: content.failure }
  try {
    const definitions = parseDefinitions(kind, await readContent(content), types)
    return { content, definitions, failure: null }
  } catch (error) {
    const failure = toFailure(error)
    if (!failure) throw error
    return { content, definitions: null, failure }
  }
}

function parseDefinitions(
  kind: Definitions['kind'],
  items: JsonObject[],
  types: Types,
): Definitions {
  if (items.length === 0) {
    throw new FileFailure('Invalid definition', [{ message: 'The file holds no definition' }])
  }
  if (kind === 'type') return { kind, items: collect(items.map(parseTypeDefinition)) }
  if (kind === 'role') return { kind, items: collect(items.map(parseRole)) }
  if (kind === 'policy') return { kind, items: collect(items.map(parsePolicy)) }
  if (kind === 'entity') return { kind, items: collect(items.map(parseEntityDefinition)) }
  return { kind, items: collect(items.map((item) => parseSchemaDefinition(item, types))) }
}

function collect<T>(parsed: Parsed<T>[]): T[] {
  const faults = parsed.flatMap((each, index) =>
    'faults' in each ? each.faults.map((fault) => ({ index, ...fault })) : [],
  )
  if (faults.length > 0) throw new FileFailure('Invalid definition', faults)
  return parsed.flatMap((each) => ('definition' in each ? [each.definition] : []))
}

/** Names that a manifest may use as target or dependency. */
function knownTargets(drafts: readonly Draft[], installed: readonly Entity[]): Set<string> {
  const defined = drafts.flatMap(({ definitions }) =>
    definitions?.kind === 'entity' ? definitions.items.map(({ name }) => name) : [],
  )
  return new Set([...DEFINITION_TARGETS.keys(), ...defined, ...installed.map(({ name }) => name)])
}

function resolve(
  { content, definitions, failure }: Draft,
  known: ReadonlySet<string>,
): PlannedFile {
  const { path, folderName, dependencies } = content
  const target = content.target ?? (known.has(folderName) ? folderName : null)
  const kind: FileKind | null = target === null ? null : (DEFINITION_TARGETS.get(target) ?? 'data')
  const missing =
    target === null ? [] : [target, ...dependencies].filter((name) => !known.has(name))
  const found = failure ?? targetFailure(target, folderName, missing, known)
  return { path, target, kind, definitions, content, failure: found }
}

function targetFailure(
  target: string | null,
  folderName: string,
  missing: string[],
  known: ReadonlySet<string>,
): FileFailure | null {
  if (target === null) {
    const message = `The manifest names no target, and the folder's name "${folderName}" is no known entity`
    return new FileFailure('Invalid definition', [{ message }])
  }
  if (missing.length === 0) return null
  const details = missing.map((name) => ({ key: name, message: missingMessage(name, known) }))
  return new FileFailure('Missing dependency', details)
}

const missingMessage = (name: string, known: ReadonlySet<string>) =>
  isSystemEntity(name)
    ? `"${name}" belongs to the engine; plugins bring no records of it`
    : `"${name}" is neither in the archive nor installed${suggestion(name, known)}`

/** The same name defined by two files, in any case: the first stands, the second is refused. */
function refuseSecondDefinitions(files: PlannedFile[]): PlannedFile[] {
  const firsts = new Map<string, string>()
  return files.map((file) => {
    const details = (file.definitions?.items ?? []).flatMap(({ name }, index) => {
      const key = `${file.kind}:${name.toLowerCase()}`
      const first = firsts.get(key)
      firsts.set(key, first ?? file.path)
      return first === undefined
        ? []
        : [{ index, key: name, message: `"${name}" is defined in ${first} already` }]
    })
    return details.length === 0
      ? file
      : { ...file, failure: new FileFailure('Invalid definition', details) }
  })
}
