import { countOf, formatCount } from '@/components/ui/number'
import { DecidedConflicts } from './conflicts/conflict-list'
import type { Wording } from './conflicts/wording'
import type { FileLog } from './types'

/** The records that were changed here and by the plugin, with what was chosen. */
export function FileConflicts({ file, wording }: { file: FileLog; wording: Wording }) {
  const { conflicts, conflictCount, target } = file
  if (conflictCount === 0) return null
  return (
    <section aria-label="Conflicts" className="grid gap-1.5">
      <p className="text-xs text-muted-foreground">
        {countOf(conflictCount, 'conflict')}
        {conflictCount > conflicts.length && `, the first ${formatCount(conflicts.length)} listed`}
      </p>
      <DecidedConflicts entity={target ?? ''} conflicts={conflicts} wording={wording} />
    </section>
  )
}
