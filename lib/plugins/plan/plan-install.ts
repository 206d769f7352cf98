import { setImmediate as otherRequests } from 'node:timers/promises'
import type { Entity, TypeDefinition } from '@/lib/definitions/definition'
import type { Parsed } from '@/lib/definitions/definition-faults'
import type { FileDetail } from '@/lib/definitions/file-detail'
import { isSystemEntity } from '@/lib/definitions/names'
import { parseEntityDefinition } from '@/lib/definitions/parse-entity-definition'
import { parseSchemaDefinition } from '@/lib/definitions/parse-schema-definition'
import { parseTypeDefinition } from '@/lib/definitions/parse-type-definition'
import { type Types, typesByName } from '@/lib/definitions/resolve-type'
import type { ContentFile, ParsedPlugin } from '@/lib/plugins/archive/parse-plugin'
import { readDefinitions, toFailure } from '@/lib/plugins/content/read-content'
import type { FileKind } from '@/lib/plugins/file-report'
import type { Definitions, InstallPlan, PlannedFile } from '@/lib/plugins/install-plan'
import { FileFailure } from '@/lib/plugins/verdict'
import { parsePolicy, parseRole } from '@/lib/policies/parse-policy'
import { SYSTEM_ENTITIES } from '@/lib/registry/system-entities'
import type { JsonObject } from '@/lib/values/json'
import { suggestion } from '@/lib/values/nearest'
import { warningsOf } from './definition-warnings'
import { namesOfFailedSchemas, withFailedSchemas } from './failed-schemas'
import { withGrantedRoles } from './idle-role'
import { orderFiles } from './order-files'
import { refuseTypeCircles } from './refuse-type-circles'
import { withTurns } from './with-turns'

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

type Draft = Pick<PlannedFile, 'content' | 'definitions' | 'failure' | 'warnings'>

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
  const sound = withGrantedRoles(refuseTypeCircles(files, installed.types))
  const ordered = orderFiles(sound, installed.entities)
  return { manifest: plugin.manifest, files: withTurns(ordered, installed.entities) }
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
  const { failure, warnings } = content
  if (!kind || failure) return { content, definitions: null, failure, warnings }
  try {
    const { items, warnings: rounded } = await readDefinitions(content)
    const all = [...warnings, ...rounded, ...warningsOf(kind, items)]
    return { content, ...parseDefinitions(kind, items, types), warnings: all }
  } catch (error) {
    const failure = toFailure(error)
    if (!failure) throw error
    return { content, definitions: null, failure, warnings }
  }
}

type ParsedFile = Pick<PlannedFile, 'definitions' | 'failure'>

function parseDefinitions(
  kind: Definitions['kind'],
  items: JsonObject[],
  types: Types,
): ParsedFile {
  if (items.length === 0) return refused([{ message: 'The file holds no definition' }])
  switch (kind) {
    case 'type':
      return collect(items.map(parseTypeDefinition), (all) => ({ kind, items: all }))
    case 'role':
      return collect(items.map(parseRole), (all) => ({ kind, items: all }))
    case 'policy':
      return collect(items.map(parsePolicy), (all) => ({ kind, items: all }))
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

/** Names that a manifest may use as target or dependency. */
function knownTargets(drafts: readonly Draft[], installed: readonly Entity[]): Set<string> {
  const defined = drafts.flatMap(({ definitions }) =>
    definitions?.kind === 'entity' ? definitions.items.map(({ name }) => name) : [],
  )
  return new Set([...DEFINITION_TARGETS.keys(), ...defined, ...installed.map(({ name }) => name)])
}

function resolve(
  { content, definitions, failure, warnings }: Draft,
  known: ReadonlySet<string>,
): PlannedFile {
  const { path, folderName, dependencies } = content
  const target = content.target ?? (known.has(folderName) ? folderName : null)
  const kind: FileKind | null = target === null ? null : (DEFINITION_TARGETS.get(target) ?? 'data')
  const found = failure ?? targetFailure({ target, folderName, dependencies }, known)
  return { path, target, kind, definitions, content, failure: found, warnings }
}

type Needs = { target: string | null; folderName: string; dependencies: readonly string[] }

function targetFailure(
  { target, folderName, dependencies }: Needs,
  known: ReadonlySet<string>,
): FileFailure | null {
  if (target === null) {
    const message = `The manifest names no target, and the folder's name "${folderName}" is no known entity`
    return new FileFailure('Invalid definition', [{ message }])
  }
  if (isSystemEntity(target) && !known.has(target))
    return new FileFailure('Invalid definition', [
      { key: target, message: systemTargetMessage(target) },
    ])
  const isMissing = (name: string) => !known.has(name) && !SYSTEM_ENTITIES.has(name)
  const missing = [target, ...dependencies].filter(isMissing)
  if (missing.length === 0) return null
  const details = missing.map((name) => ({
    key: name,
    message: `"${name}" is neither in the archive nor installed${suggestion(name, known)}`,
  }))
  return new FileFailure('Missing dependency', details)
}

/** What is wrong with a target that no installation could make good. */
const systemTargetMessage = (name: string) =>
  SYSTEM_ENTITIES.has(name)
    ? `"${name}" belongs to the engine; plugins bring no records of it`
    : `"${name}" is no target: names that begin with "Engine" belong to the engine${suggestion(name, DEFINITION_TARGETS.keys())}`

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
