import type {
  EntityDefinition,
  InsertDuplicate,
  SchemaDefinition,
  TypeDefinition,
} from '@/lib/definitions/definition'
import type { FileDetail } from '@/lib/definitions/file-detail'
import type { PolicyDefinition, RoleDefinition } from '@/lib/definitions/policy'
import type { Env } from '@/lib/env'
import type { ArchivePosition } from '@/lib/tables/archive-position'
import type { ArchiveRoom } from './archive/archive-room'
import type { PluginManifest } from './archive/plugin-manifest'
import type { Variables } from './archive/variables'
import type { FileKind } from './file-report'
import type { OnConflict } from './lifecycle/origin'
import type { FileFailure } from './verdict'

/**
 * The parsed content of a definition file. `granted`: roles in lower case that a policy of the archive allows
 * something. `positions`: the positions of the items.
 */
export type Definitions =
  | { kind: 'type'; items: TypeDefinition[] }
  | { kind: 'schema'; items: SchemaDefinition[]; positions?: Positions }
  | { kind: 'entity'; items: EntityDefinition[]; positions?: Positions }
  | { kind: 'role'; items: RoleDefinition[]; granted?: readonly string[] }
  | { kind: 'policy'; items: PolicyDefinition[] }

/** One of them. */
export type Definition =
  | { kind: 'type'; item: TypeDefinition }
  | { kind: 'schema'; item: SchemaDefinition; position?: ArchivePosition }
  | { kind: 'entity'; item: EntityDefinition; position?: ArchivePosition }
  | { kind: 'role'; item: RoleDefinition; granted?: readonly string[] }
  | { kind: 'policy'; item: PolicyDefinition }

/** The position of a file's first item, and those at which entities change, by their names. */
type Positions = { first: number } & Pick<ArchivePosition, 'positionsOf' | 'schemas'>

export type FileLimits = Pick<Env, 'MAX_RECORDS' | 'MAX_JSON_BYTES' | 'MAX_UNPACKED_BYTES'>

/** A content file of an archive. */
export type PluginFile = {
  path: string
  bytes: Uint8Array
  variables: Variables
  limits: FileLimits
  /** The room of variables in all files of the archive. */
  room: ArchiveRoom
  /** The plugin's folder in the archive, `shop-1.2/`; empty at its root. */
  root: string
  /** Of the manifest above it; in a plan, as resolved. Null: not given, or the manifest is invalid. */
  target: string | null
  /** The folder's name: replaces a missing `target` when the name is a known target. */
  folderName: string
  dependencies: readonly string[]
  insertDuplicate: InsertDuplicate | null
  onConflict: OnConflict | null
  /** Why it can't be installed at all. */
  failure: FileFailure | null
  /** Parts that are ignored in it, or in the manifests above it (given to the first file below each). */
  warnings: FileDetail[]
}

/** What a file that can't be installed defines; `item` is null where it can't be read or has faults. */
export type Refused = {
  name: string
  item: TypeDefinition | SchemaDefinition | EntityDefinition | null
}

/** A file with its part in the plan. `refused`: of types, schemas or entities in a file that can't be read or has faults. */
export type PlannedFile = PluginFile & {
  kind: FileKind | null
  definitions: Definitions | null
  refused?: readonly Refused[]
  /** The path in the plugin's folder that a data file had before, if that was another one. */
  formerPath?: string | null
}

/** Everything that an install is going to do, in this order; a plain value, made without writing. */
export type InstallPlan = {
  manifest: PluginManifest
  files: PlannedFile[]
}
