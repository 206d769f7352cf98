import { restoreBatch } from '@/components/trash/trash-queries'
import { UNDO_NOTICE_MS } from '@/components/ui/notice-time'
import { toast } from '@/components/ui/toast'
import { messageOf } from '@/lib/errors'
import { getQueryClient } from '@/lib/query/client'

/** Shows that a role or a policy was changed or deleted, with an undo where that is possible. */
export function announceChange(what: string, batchId: string | undefined): void {
  toast.success(what, {
    duration: batchId ? UNDO_NOTICE_MS : undefined,
    action: batchId ? { label: 'Undo', onClick: () => void undo(batchId) } : undefined,
  })
}

async function undo(batchId: string): Promise<void> {
  try {
    await restoreBatch(batchId)
    toast.success('It is as before')
  } catch (error) {
    toast.error(messageOf(error))
  }
  await getQueryClient().invalidateQueries({ queryKey: ['roles'] })
}
