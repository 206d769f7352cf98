import type { OnConflict, PlannedFile } from '@/lib/archives/plugin-file'
import type { RecordConflict } from '@/lib/db/schema'
import type { Entity } from '@/lib/definitions/definition'
import type { Decisions } from '@/lib/plugins/contract'
import { type Decider, deciderOf } from '@/lib/plugins/decisions'

/** What happens to records that a file gave before and gives no longer. */
export type OnRemoved = 'keep' | 'delete'
/** What happens to records that were deleted here: they stay so, or are created again. */
export type OnDeleted = 'keep' | 'restore'

type Original = Pick<Entity, 'table' | 'isDistributed'>

/** Where records come from: a data file of a plugin, in any version of its archive. */
export type Origin = {
  pluginId: string
  /** In the plugin's folder. */
  path: string
  /** The path that the file had before, if that was another one. */
  formerPath: string | null
  /** Of this install; later than all of them in a dry run, which remembers on copies. */
  installId: number
  conflicts: Decider
  removed: OnRemoved
  deleted: OnDeleted
  /** In a dry run, the table of which the entity's has only a part. */
  original?: Original | undefined
  /** Sees each conflict. */
  note: (conflict: RecordConflict) => void
}

type Context = { pluginId: string; installId: number | null } & Choices
/** As the request asks; a manifest decides about what it leaves out. */
export type Choices = {
  onConflict?: OnConflict | undefined
  removed?: OnRemoved | undefined
  deleted?: OnDeleted | undefined
  decisions?: Decisions | undefined
  /** Sees each conflict of a dry run. */
  onConflictFound?: (file: PlannedFile, conflict: RecordConflict) => void
  /** In a dry run, the table of which that of the entity has only a part. */
  originalOf?: (entity: string) => Original | undefined
}

export const originOf = (file: PlannedFile, context: Context): Origin => ({
  pluginId: context.pluginId,
  path: pathIn(file),
  formerPath: file.formerPath ?? null,
  installId: context.installId ?? DRY_RUN_ID,
  conflicts: deciderOf(
    context.onConflict ?? file.onConflict ?? 'keep',
    context.decisions?.[file.target ?? ''],
  ),
  removed: context.removed ?? 'keep',
  deleted: context.deleted ?? 'keep',
  original: context.originalOf?.(file.target ?? ''),
  note: (conflict) => context.onConflictFound?.(file, conflict),
})

/** In the plugin's folder. */
export const pathIn = ({ path, root }: Pick<PlannedFile, 'path' | 'root'>): string =>
  path.slice(root.length)

const DRY_RUN_ID = Number.MAX_SAFE_INTEGER
