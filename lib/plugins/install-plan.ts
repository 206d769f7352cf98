import type {
  EntityDefinition,
  SchemaDefinition,
  TypeDefinition,
} from '@/lib/definitions/definition'
import type { FileDetail } from '@/lib/definitions/file-detail'
import type { PolicyDefinition, RoleDefinition } from '@/lib/definitions/policy'
import type { Turn } from '@/lib/tables/turn'
import type { ContentFile } from './archive/parse-plugin'
import type { PluginManifest } from './archive/plugin-manifest'
import type { FileKind } from './file-report'
import type { FileFailure } from './verdict'

/**
 * What a definition file holds, parsed. `failedSchemas`: names of schemas that the archive holds and
 * that can't be installed, so that no entity is taken for free-form instead. `granted`: roles in lower
 * case that a policy of the archive allows something. `turns`: when the items have theirs.
 */
export type Definitions =
  | { kind: 'type'; items: TypeDefinition[] }
  | { kind: 'schema'; items: SchemaDefinition[]; turns?: Turns }
  | {
      kind: 'entity'
      items: EntityDefinition[]
      failedSchemas?: readonly string[]
      turns?: Turns
    }
  | { kind: 'role'; items: RoleDefinition[]; granted?: readonly string[] }
  | { kind: 'policy'; items: PolicyDefinition[] }

/** One of them. */
export type Definition =
  | { kind: 'type'; item: TypeDefinition }
  | { kind: 'schema'; item: SchemaDefinition; turn?: Turn }
  | {
      kind: 'entity'
      item: EntityDefinition
      failedSchemas?: readonly string[]
      turn?: Turn
    }
  | { kind: 'role'; item: RoleDefinition; granted?: readonly string[] }
  | { kind: 'policy'; item: PolicyDefinition }

/** The turn of the first item of a file, and those in which entities change, by their names. */
type Turns = { first: number } & Pick<Turn, 'turnsOf'>

/** A file with its part in the plan; `failure` says why it can't be installed at all. */
export type PlannedFile = {
  path: string
  /** As resolved; null when nothing tells it. */
  target: string | null
  kind: FileKind | null
  definitions: Definitions | null
  content: ContentFile
  failure: FileFailure | null
  /** What the file, or the manifest above it, says in vain. */
  warnings: FileDetail[]
}

/** All that an install is going to do, in this order; a plain value, made without writing. */
export type InstallPlan = {
  manifest: PluginManifest
  files: PlannedFile[]
}
