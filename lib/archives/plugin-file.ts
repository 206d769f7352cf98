import type { RecordConflict } from '@/lib/db/schema'
import type {
  EntityDefinition,
  InsertDuplicate,
  SchemaDefinition,
  TypeDefinition,
} from '@/lib/definitions/definition'
import type { FaultGroup, FileDetail } from '@/lib/definitions/definition-faults'
import type { PolicyDefinition, RoleDefinition } from '@/lib/definitions/policy'
import type { WebhookDefinition } from '@/lib/definitions/webhook'
import type { Env } from '@/lib/env'
import type { RecordFaults } from '@/lib/rows/record-faults'
import type { ArchivePosition } from '@/lib/tables/archive-position'
import type { JsonObject } from '@/lib/values/json'
import type { PluginManifest } from './manifests'
import type { ArchiveRoom, Variables } from './variables'

/** The subject of a content file. */
export type FileKind = 'type' | 'schema' | 'entity' | 'role' | 'policy' | 'webhook' | 'data'

/** What decides about records that were changed here and by the plugin. */
export type OnConflict = 'keep' | 'take' | 'fail'

/**
 * The parsed content of a definition file. `granted`: roles in lower case that a policy of the archive allows
 * something. `positions`: the positions of the items. `authored`: of items into which changes made here were merged, as
 * the archive has them.
 */
export type Definitions = { authored?: readonly (JsonObject | null)[] } & (
  | { kind: 'type'; items: TypeDefinition[] }
  | { kind: 'schema'; items: SchemaDefinition[]; positions?: Positions }
  | { kind: 'entity'; items: EntityDefinition[]; positions?: Positions }
  | { kind: 'role'; items: RoleDefinition[]; granted?: readonly string[] }
  | { kind: 'policy'; items: PolicyDefinition[] }
  | { kind: 'webhook'; items: WebhookDefinition[] }
)

/** One of them. */
export type Definition = { authored?: JsonObject | null } & (
  | { kind: 'type'; item: TypeDefinition }
  | { kind: 'schema'; item: SchemaDefinition; position?: ArchivePosition }
  | { kind: 'entity'; item: EntityDefinition; position?: ArchivePosition }
  | { kind: 'role'; item: RoleDefinition; granted?: readonly string[] }
  | { kind: 'policy'; item: PolicyDefinition }
  | { kind: 'webhook'; item: WebhookDefinition }
)

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
  /** What of its definitions was changed here. */
  local?: LocalChanges
  /** Of a data file: fields that have another name here. */
  renamed?: ReadonlyMap<string, string>
  /** The path in the plugin's folder that a data file had before, if that was another one. */
  formerPath?: string | null
}

/** Everything that an install is going to do, in this order; a plain value, made without writing. */
export type InstallPlan = {
  manifest: PluginManifest
  files: PlannedFile[]
}

/** Names of the ways a file of an archive can fail. */
export type Verdict =
  | 'Conflict Issue!'
  | 'Missing dependency'
  /** The installer lacks a right that the file needs. */
  | 'Forbidden'
  | 'Invalid JSON'
  | 'Invalid definition'
  | 'Invalid record'
  | 'Incompatible change'
  | 'Rolled back'
  | 'Interrupted'
  | 'Cancelled'
  | 'Internal error'

type ConflictsFound = { conflicts: RecordConflict[]; conflictCount: number }

/** What of a file of definitions was changed here: what was merged, in words, and what the archive changes as well. */
export type LocalChanges = ConflictsFound & { kept: string[] }

export const MAX_DETAILS = 100

type More = {
  /** What of it was changed here and by the plugin. */
  found?: ConflictsFound
  /** The faults of records by rule, with exact totals. */
  groups?: FaultGroup[]
  /** The number of records of the file that are at fault, where it is known. */
  recordCount?: number
}

/** Why one file fails; the other files are still installed. */
export class FileFailure extends Error {
  override readonly name = 'FileFailure'
  readonly details: FileDetail[]
  readonly detailCount: number
  readonly found: ConflictsFound
  readonly groups: FaultGroup[]
  readonly recordCount: number | undefined

  constructor(
    readonly verdict: Verdict,
    details: FileDetail[],
    /** The number of faults, when `details` holds only the first of them. */
    detailCount = details.length,
    { found = { conflicts: [], conflictCount: 0 }, groups = [], recordCount }: More = {},
  ) {
    super(verdict)
    this.details = details.slice(0, MAX_DETAILS)
    this.detailCount = detailCount
    this.found = found
    this.groups = groups
    this.recordCount = recordCount
  }
}

/** That records of a file are at fault. */
export const failureOf = (
  verdict: Verdict,
  { details, count, groups, records }: RecordFaults,
): FileFailure =>
  new FileFailure(verdict, details, count, { groups: groups.list(), recordCount: records })

type Items<K extends Definitions['kind']> = Extract<Definitions, { kind: K }>['items']

/** The definitions of a kind in these files. */
export const itemsOf = <K extends Definitions['kind']>(
  files: readonly Pick<PlannedFile, 'definitions'>[],
  kind: K,
): Items<K> =>
  files.flatMap(({ definitions }) =>
    definitions?.kind === kind ? (definitions.items as unknown[]) : [],
  ) as Items<K>
