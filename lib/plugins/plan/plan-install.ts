import type { Db } from '@/lib/db/types'
import type { Entity, TypeDefinition } from '@/lib/definitions/definition'
import { isSystemEntity } from '@/lib/definitions/names'
import { typesByName } from '@/lib/definitions/resolve-type'
import type { ParsedPlugin } from '@/lib/plugins/archive/parse-plugin'
import type { FileKind } from '@/lib/plugins/file-report'
import type { InstallPlan, PlannedFile, PluginFile } from '@/lib/plugins/plugin-file'
import { FileFailure } from '@/lib/plugins/verdict'
import { loadEntities } from '@/lib/registry/registry'
import { loadTypes } from '@/lib/registry/registry-rows'
import { SYSTEM_ENTITIES } from '@/lib/registry/system-entities'
import { suggestion } from '@/lib/values/nearest'
import { DEFINITION_TARGETS, type Draft, draftAll, kindOf } from './draft-files'
import { loadOwned, type Owned, withGoneDefinitions } from './gone-definitions'
import { withGrantedRoles } from './idle-role'
import { orderFiles } from './order-files'
import { refusePresentNames } from './refuse-present-names'
import { refuseTypeCycles } from './refuse-type-cycles'
import { withoutRefused } from './refused-definitions'
import { withPositions } from './with-positions'
/** The installed state. */
export type Installed = {
  entities: readonly Entity[]
  types: readonly TypeDefinition[]
  owned?: readonly Owned[]
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
  const types = await draftAll(plugin.files.filter(isType), new Map())
  const refused = types.flatMap((file) => file.refused ?? [])
  const known = typesByName([
    ...withoutRefused(installed.types, refused),
    ...types.flatMap(typesIn),
  ])
  const drafts = [
    ...types,
    ...(await draftAll(
      plugin.files.filter((file) => !isType(file)),
      known,
    )),
  ]
  const targets = knownTargets(drafts, installed.entities)
  const files = refuseSecondDefinitions(drafts.map((draft) => resolve(draft, targets)))
  const sound = withGrantedRoles(refuseTypeCycles(refusePresentNames(files), installed.types))
  const ordered = orderFiles(sound, installed.entities)
  const warned = withGoneDefinitions(ordered, plugin.manifest.id, installed.owned ?? [])
  return { manifest: plugin.manifest, files: withPositions(warned, installed.entities) }
}

const typesIn = ({ definitions }: Draft) => (definitions?.kind === 'type' ? definitions.items : [])

/** Names that a manifest can use as target or dependency. */
function knownTargets(drafts: readonly Draft[], installed: readonly Entity[]): Set<string> {
  const defined = drafts.flatMap(({ definitions }) =>
    definitions?.kind === 'entity' ? definitions.items.map(({ name }) => name) : [],
  )
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
