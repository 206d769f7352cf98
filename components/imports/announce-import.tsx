import { undoBatch } from '@/components/trash/announce-restoration'
import { refreshRecords } from '@/components/trash/trash-queries'
import { Link } from '@/components/ui/link'
import { countOf, formatCount } from '@/components/ui/number'
import { toast } from '@/components/ui/toast'
import type { Import } from '@/lib/import/contract'
import { getQueryClient } from '@/lib/query/client'
import { IMPORTS, TASKS_KEY } from '@/lib/query/keys'
import { readImport } from './import-requests'
import { importHref } from './import-tasks'

/** Long enough to be seen by a user who looks elsewhere. */
const NOTICE_MS = 20_000

/** Shows how an import ended, unless its window is open; says nothing of dry runs. `id`: how this tab calls it. */
export function announceImport(found: Import, id = found.id): void {
  const { dryRun, entity, fileName, status, error, refused } = found
  const shown = new URLSearchParams(window.location.search).get('import')
  if (dryRun || (shown !== null && [id, found.id].includes(shown))) return
  const options = {
    duration: NOTICE_MS,
    description: (
      <span className="flex flex-wrap gap-x-3">
        <span>{status === 'DONE' ? resultText(found) : error}</span>
        <Link href={importHref(entity, found.id)} className="rounded underline underline-offset-2">
          Open
        </Link>
      </span>
    ),
  }
  const { batchId } = found
  const action = batchId
    ? { label: 'Undo', onClick: () => void undoBatch({ kind: 'import', entity }, batchId) }
    : undefined
  const undoable = { ...options, action }
  if (status === 'CANCELLED') toast.info(`The import of ${fileName} was cancelled`)
  else if (status === 'FAILED') toast.error(`${fileName} was not imported`, options)
  else if (refused === 0) toast.success(`${fileName} is imported into ${entity}`, undoable)
  else toast.warning(`${fileName}: ${countOf(refused, 'row')} refused`, undoable)
}

/** The same by its id; nothing of what can no longer be read. */
export async function announceEnded(id: string): Promise<void> {
  const found = await readImport(id).catch(() => null)
  if (found?.dryRun) return
  void refreshAfterImport()
  if (found) announceImport(found)
}

/** After an import, whichever tab began it. */
export const refreshAfterImport = () =>
  Promise.all([
    refreshRecords(),
    ...[IMPORTS.key, TASKS_KEY].map((queryKey) => getQueryClient().invalidateQueries({ queryKey })),
  ])

type Counts = Pick<Import, 'created' | 'updated' | 'unchanged' | 'refused'>

/** `1,200 created, 30 updated, 4 refused`; only what there is. */
function resultText({ created, updated, unchanged, refused }: Counts): string {
  const parts = [
    [created, 'created'],
    [updated, 'updated'],
    [unchanged, 'unchanged'],
    [refused, 'refused'],
  ] as const
  const counted = parts.filter(([count]) => count > 0)
  return counted.map(([count, word]) => `${formatCount(count)} ${word}`).join(', ') || 'no records'
}
