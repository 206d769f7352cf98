import type { PlannedFile } from '@/lib/archives/plugin-file'
import type { RecordConflict } from '@/lib/db/schema'
import { type Decider, deciderOf } from '@/lib/installs/decisions'
import type { OnDeleted, OnRemoved, Original } from '@/lib/installs/install-request'
import type { DataContext } from '@/lib/installs/points'

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
  recordConflict: (conflict: RecordConflict) => void
}

export const originOf = (context: DataContext): Origin => {
  const { file } = context
  return {
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
    recordConflict: (conflict) => context.onConflictFound?.(file, conflict),
  }
}

/** In the plugin's folder. */
export const pathIn = ({ path, root }: Pick<PlannedFile, 'path' | 'root'>): string =>
  path.slice(root.length)

const DRY_RUN_ID = Number.MAX_SAFE_INTEGER
