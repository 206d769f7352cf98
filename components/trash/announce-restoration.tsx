import type { ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import { UNDO_NOTICE_MS } from '@/components/ui/notice-time'
import { countOf } from '@/components/ui/number'
import { toast } from '@/components/ui/toast'
import { messageOf } from '@/lib/errors'
import type { TrashBatch } from '@/lib/trash/contract'
import { batchName } from './batch-name'
import { type Restoration, restoreBatch } from './trash-queries'

type Batch = Pick<TrashBatch, 'batchId' | 'kind' | 'name' | 'entity' | 'plugins' | 'entities'>

/** Shows how many records were restored, and where the others are. */
export function announceRestoration(batch: Batch, { restored, conflictCount }: Restoration): void {
  const { batchId, kind, name, entity, plugins } = batch
  if (name !== undefined && conflictCount === 0) {
    toast.success(`The ${kind} ${name} is as before`)
    return
  }
  if (entity === null && conflictCount > 0) {
    toast.warning(`${batchName(batch)} could not be restored`, {
      duration: UNDO_NOTICE_MS,
      description: <To href={`/trash?batch=${batchId}`}>See why in Recently changed</To>,
    })
    return
  }
  const what = kind === 'plugin' ? `${batchName(batch)} with ` : ''
  const came =
    kind === 'import'
      ? `The import is undone: ${countOf(restored, 'record')}`
      : `${what}${countOf(restored, 'record')} restored`
  if (conflictCount === 0) {
    toast.success(came, {
      description: entity ? (
        <To href={`/entities/${encodeURIComponent(entity)}`}>Open {entity}</To>
      ) : (
        <To href={`/plugins/${encodeURIComponent(plugins[0]?.id ?? '')}`}>Open the plugin</To>
      ),
    })
    return
  }
  const rest = kind === 'import' ? 'kept' : 'could not be'
  toast.warning(`${came}, ${countOf(conflictCount, 'record')} ${rest}`, {
    duration: UNDO_NOTICE_MS,
    description: <To href={`/trash?batch=${batchId}`}>See why in Recently changed</To>,
  })
}

/** Shows that records are deleted, with an undo and a link to the trash. */
export function announceDeletion(count: number, entity: string, batchId: string | undefined): void {
  announce(`${countOf(count, 'record')} deleted`, { kind: 'records', entity }, batchId)
}

/** Shows that records are edited, likewise. */
export function announceEdit(count: number, entity: string, batchId: string | null): void {
  announce(`${countOf(count, 'record')} edited`, { kind: 'edit', entity }, batchId ?? undefined)
}

/** Takes a deletion, edit or import back, and says how many records that was. */
export async function undoBatch(
  batch: Pick<Batch, 'kind' | 'entity'>,
  batchId: string,
): Promise<void> {
  try {
    announceRestoration(
      { ...batch, batchId, plugins: [], entities: [] },
      await restoreBatch(batchId),
    )
  } catch (error) {
    toast.error(messageOf(error))
  }
}

function announce(
  what: string,
  batch: Pick<Batch, 'kind' | 'entity'>,
  batchId: string | undefined,
): void {
  toast.success(what, {
    duration: UNDO_NOTICE_MS,
    description: batchId && <To href={`/trash?batch=${batchId}`}>Open Recently changed</To>,
    action: batchId ? { label: 'Undo', onClick: () => void undoBatch(batch, batchId) } : undefined,
  })
}

const To = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link href={href} className="rounded underline underline-offset-2">
    {children}
  </Link>
)
