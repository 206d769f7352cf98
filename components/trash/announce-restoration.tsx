import type { ReactNode } from 'react'
import { toast } from 'sonner'
import { Link } from '@/components/ui/link'
import { countOf } from '@/components/ui/number'
import { messageOf } from '@/lib/errors'
import { type Restoration, restoreBatch } from './trash-queries'

/** Long enough to read it and to reach the button. */
const NOTICE_MS = 20_000

type Batch = { batchId: string; entity: string }

/** Shows how many records were restored, and where the others are. */
export function announceRestoration(
  { batchId, entity }: Batch,
  { restored, conflictCount }: Restoration,
): void {
  const came = `${countOf(restored, 'record')} restored`
  if (conflictCount === 0) {
    toast.success(came, {
      description: <To href={`/entities/${encodeURIComponent(entity)}`}>Open {entity}</To>,
    })
    return
  }
  toast.warning(`${came}, ${countOf(conflictCount, 'record')} could not be`, {
    duration: NOTICE_MS,
    description: <To href={`/trash?batch=${batchId}`}>See why in the trash</To>,
  })
}

/** Shows that records are deleted, with an undo and a link to the trash. */
export function announceDeletion(count: number, entity: string, batchId: string | undefined): void {
  const undo = async (id: string) => {
    try {
      announceRestoration({ batchId: id, entity }, await restoreBatch(id))
    } catch (error) {
      toast.error(messageOf(error))
    }
  }
  toast.success(`${countOf(count, 'record')} deleted`, {
    duration: NOTICE_MS,
    description: batchId && <To href={`/trash?batch=${batchId}`}>Open the trash</To>,
    action: batchId ? { label: 'Undo', onClick: () => void undo(batchId) } : undefined,
  })
}

const To = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link href={href} className="rounded underline underline-offset-2">
    {children}
  </Link>
)
