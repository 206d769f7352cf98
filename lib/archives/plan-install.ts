import { isDeepStrictEqual } from 'node:util'
import type { Db } from '@/lib/db/sql'
import type { Entity, TypeDefinition } from '@/lib/definitions/definition'
import { isSystemEntity } from '@/lib/definitions/names'
import { type Types, typesByName } from '@/lib/definitions/resolve-type'
import { loadEntities } from '@/lib/registry/registry'
import { loadTypes, schemaNameOf } from '@/lib/registry/registry-rows'
import { SYSTEM_ENTITIES } from '@/lib/registry/system-entities'
import { toStored } from '@/lib/tables/definition-transaction'
import { suggestion } from '@/lib/values/nearest'
import type { ParsedPlugin } from './parse-plugin'
import { refuseTypeCycles } from './plan/cycles'
import {
  DEFINITION_TARGETS,
  type Draft,
  draftAll,
  kindOf,
  withoutRefused,
} from './plan/draft-files'
import { orderFiles } from './plan/order-files'
import { loadOwned, type Owned, withRemovedDefinitions } from './plan/removed-definitions'
import {
  type Definitions,
  FileFailure,
  type FileKind,
  type InstallPlan,
  itemsOf,
  type PlannedFile,
  type PluginFile,
} from './plugin-file'

/** The installed state. */
export type Installed = {
  entities: readonly Entity[]
  types: readonly TypeDefinition[]
  owned?: readonly Owned[]
  /** Merges what was changed here into the definitions of files; `author`: types as their authors have them. */
  merged?: (drafts: readonly Draft[], types: Types, author: Types) => Draft[]
}

/**
 * Decides what each file of a plugin is, what it needs and its position in the order. Reads the
 * definitions (data is read when it is installed) and writes nothing.
 */
export async function planInstall(
  plugin: ParsedPlugin,
  installed: Installed,
): Promise<InstallPlan> {
  const isType = (file: PluginFile) => kindOf(file) === 'type'
  const merged = installed.merged ?? ((drafts) => [...drafts])
  const none: Types = new Map()
  const types = merged(await draftAll(plugin.files.filter(isType), none), none, none)
  const refused = types.flatMap((file) => file.refused ?? [])
  const known = typesByName([
    ...withoutRefused(installed.types, refused),
    ...itemsOf(types, 'type'),
  ])
  const authored = typesByName(types.flatMap(authoredIn))
  const author = authored.size > 0 ? new Map([...known, ...authored]) : known
  const drafts = [
    ...types,
    ...merged(
      await draftAll(
        plugin.files.filter((file) => !isType(file)),
        known,
      ),
      known,
      author,
    ),
  ]
  const targets = knownTargets(drafts, installed.entities)
  const files = refuseSecondDefinitions(drafts.map((draft) => resolve(draft, targets)))
  const sound = withGrantedRoles(refuseTypeCycles(refusePresentNames(files), installed.types))
  const ordered = orderFiles(sound, installed.entities)
  const warned = withRemovedDefinitions(ordered, plugin.manifest.id, installed.owned ?? [])
  return { manifest: plugin.manifest, files: withPositions(warned, installed.entities) }
}

/** Definitions of a file into which changes made here were merged, as the archive has them. */
const authoredIn = ({ definitions }: Draft) =>
  (definitions?.authored ?? []).flatMap((one) => (one ? [one as unknown as TypeDefinition] : []))

/** Names that a manifest can use as target or dependency. */
function knownTargets(drafts: readonly Draft[], installed: readonly Entity[]): Set<string> {
  const defined = itemsOf(drafts, 'entity').map(({ name }) => name)
  return new Set([...DEFINITION_TARGETS.keys(), ...defined, ...installed.map(({ name }) => name)])
}

function resolve(file: Draft, known: ReadonlySet<string>): PlannedFile {
  const { folderName, dependencies } = file
  const target = file.target ?? (known.has(folderName) ? folderName : null)
  const kind: FileKind | null = target === null ? null : (DEFINITION_TARGETS.get(target) ?? 'data')
  const failure = file.failure ?? targetFailure({ target, folderName, dependencies }, known)
  return { ...file, target, kind, failure }
}

type Needs = { target: string | null; folderName: string; dependencies: readonly string[] }

function targetFailure(
  { target, folderName, dependencies }: Needs,
  known: ReadonlySet<string>,
): FileFailure | null {
  if (target === null) {
    const message = `The manifest names no target, and the folder's name "${folderName}" is not a known entity`
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

/** Faults of a target that no order of installation could avoid. */
const systemTargetMessage = (name: string) =>
  SYSTEM_ENTITIES.has(name)
    ? `"${name}" is a system entity; plugins cannot add records to it`
    : `"${name}" is not a target: names that begin with "Engine" are reserved${suggestion(name, DEFINITION_TARGETS.keys())}`

/** Two files define the same name, case-insensitive: the first is kept, the second is refused. */
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

/** The part of the database's state that planning needs. */
export const loadInstalled = async (db: Db): Promise<Installed> => ({
  entities: await loadEntities(db),
  types: await loadTypes(db),
  owned: await loadOwned(db),
})

/** An entity that the archive defines itself can't be the former name of another one. */
function refusePresentNames(files: readonly PlannedFile[]): PlannedFile[] {
  const defined = new Set(itemsOf(files, 'entity').map(({ name }) => name))
  return files.map((file) => {
    if (file.failure || file.definitions?.kind !== 'entity') return file
    const details = file.definitions.items.flatMap(({ renamedFrom = [] }, index) =>
      renamedFrom
        .filter((name) => defined.has(name))
        .map((value) => ({ index, pointer: '/renamedFrom', value, message: messageFor(value) })),
    )
    if (details.length === 0) return file
    return { ...file, failure: new FileFailure('Invalid definition', details) }
  })
}

const messageFor = (name: string) => `The archive defines "${name}" too, so it was not renamed`

type Shaping = Extract<Definitions, { kind: 'schema' | 'entity' }>

/**
 * Adds to each schema and entity of the plan its position, and the positions at which entities change:
 * a statement about two entities only holds once both are as in the archive.
 */
function withPositions(files: readonly PlannedFile[], installed: readonly Entity[]): PlannedFile[] {
  const positionsOf = new Map<string, number[]>()
  const schemas = new Set(itemsOf(files.filter(isSound), 'schema').map(({ name }) => name))
  let position = 0
  return files.map((file) => {
    const { definitions } = file
    if (definitions?.kind !== 'schema' && definitions?.kind !== 'entity') return file
    const first = position
    for (const changed of changedBy(definitions, installed)) {
      if (!file.failure)
        for (const name of changed)
          positionsOf.set(name, [...(positionsOf.get(name) ?? []), position])
      position++
    }
    return { ...file, definitions: { ...definitions, positions: { first, positionsOf, schemas } } }
  })
}

/** For each item, the names of the entities that it makes or changes. */
function changedBy(definitions: Shaping, installed: readonly Entity[]): string[][] {
  if (definitions.kind === 'entity')
    return definitions.items.map((item) => {
      const known = installed.find(({ name }) => name === item.name)
      return isDeepStrictEqual(known?.definition, toStored(item))
        ? []
        : [item.name, ...(item.renamedFrom ?? [])]
    })
  return definitions.items.map((item) =>
    installed
      .filter(({ definition }) => schemaNameOf(definition) === item.name)
      .filter(({ schema }) => !isDeepStrictEqual(schema, toStored(item)))
      .map(({ name }) => name),
  )
}

/** Adds to the files of roles which roles the policies of the archive grant something. */
function withGrantedRoles(files: readonly PlannedFile[]): PlannedFile[] {
  const granted = itemsOf(files.filter(isSound), 'policy').flatMap(rolesGranted)
  return files.map((file) =>
    file.definitions?.kind === 'role'
      ? { ...file, definitions: { ...file.definitions, granted } }
      : file,
  )
}

const isSound = ({ failure }: PlannedFile) => failure === null

const rolesGranted = ({ allow, principals }: { allow: boolean; principals: readonly string[] }) =>
  allow ? principals.map((name) => name.toLowerCase()) : []
