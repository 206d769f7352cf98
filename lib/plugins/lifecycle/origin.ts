import type { RecordConflict } from '@/lib/db/schema'
import { type Decider, deciderOf } from '@/lib/plugins/decisions'
import type { Decisions } from '@/lib/plugins/decisions-contract'
import type { PlannedFile } from '@/lib/plugins/plugin-file'

/** What decides about records that were changed here and by the plugin. */
export type OnConflict = 'keep' | 'take' | 'fail'
/** What happens to records that a file gave before and gives no longer. */
export type OnRemoved = 'keep' | 'delete'

/** Where records come from: a data file of a plugin, in any version of its archive. */
export type Origin = {
  pluginId: string
  /** In the plugin's folder. */
  path: string
  /** Of this install; 0 in a dry run, which remembers on copies. */
  installId: number
  conflicts: Decider
  removed: OnRemoved
  /** Sees each conflict. */
  note: (conflict: RecordConflict) => void
}

type Context = { pluginId: string; installId: number | null } & Choices
/** As the request asks; a manifest decides about what it leaves out. */
export type Choices = {
  onConflict?: OnConflict | undefined
  removed?: OnRemoved | undefined
  decisions?: Decisions | undefined
  /** Sees each conflict of a dry run. */
  onConflictFound?: (file: PlannedFile, conflict: RecordConflict) => void
}

export const originOf = (file: PlannedFile, context: Context): Origin => ({
  pluginId: context.pluginId,
  path: file.path.slice(file.root.length),
  installId: context.installId ?? 0,
  conflicts: deciderOf(
    context.onConflict ?? file.onConflict ?? 'keep',
    context.decisions?.[file.target ?? ''],
  ),
  removed: context.removed ?? 'keep',
  note: (conflict) => context.onConflictFound?.(file, conflict),
})
