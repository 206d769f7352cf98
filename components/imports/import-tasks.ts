import type { ShownTask } from '@/components/tasks/shown-task'
import { countOf } from '@/components/ui/number'
import { formatBytes } from '@/lib/values/format-bytes'
import { type ImportItem, isAtWork } from './import-item'

/** The address of an import: the page of its entity, with what becomes of it. */
export const importHref = (entity: string, id: string): string =>
  `/entities/${encodeURIComponent(entity)}?import=${encodeURIComponent(id)}`

/** The files that are sent, checked or imported, as tasks of the header. */
export const importTasks = (
  items: readonly ImportItem[],
  cancel: (id: string) => Promise<void> | void,
): ShownTask[] => items.filter(isAtWork).map((item) => toTask(item, cancel))

function toTask(item: ImportItem, cancel: (id: string) => Promise<void> | void): ShownTask {
  const { id, entity, state, name, size, sent, check, result } = item
  const run = state === 'checking' ? check : result
  const [done, total] = run ? [run.doneBytes, run.totalBytes] : [sent, size]
  return {
    id: run ? `import-${run.id}` : id,
    title: state === 'checking' ? `Checking ${name}` : `Importing ${name}`,
    done,
    total,
    progress: `${formatBytes(done)} of ${formatBytes(total)}`,
    by: null,
    errors: run && run.refused > 0 ? `${countOf(run.refused, 'row')} refused` : null,
    href: importHref(entity, id),
    needsTab: state !== 'running',
    cancel: () => cancel(id),
  }
}
