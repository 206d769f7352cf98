import { toast } from '@/components/ui/toast'
import { apiItem } from '@/lib/http/client'
import { getQueryClient } from '@/lib/query/client'
import type { Promotion } from '@/lib/servers/contract'
import { promotionsOptions } from './server-queries'

const WORDS: Partial<Record<Promotion['status'], string>> = {
  DONE: 'The promotion is done',
  UNDONE: 'The promotion is undone',
}

/** Shows how a promotion ended, and refreshes everything, which it may have changed. Says nothing of one that can no longer be read. */
export async function announcePromotion(id: string): Promise<void> {
  const found = await apiItem<Promotion>(`/api/promotions/${id}`).catch(() => null)
  const client = getQueryClient()
  await client.invalidateQueries({ queryKey: promotionsOptions.queryKey })
  await client.invalidateQueries()
  if (!found) return
  const words = WORDS[found.status]
  if (words) toast.success(`${words}: ${found.serverName}`)
  else if (found.status === 'STOPPED')
    toast.error(`The promotion has stopped: ${found.serverName}`, { description: found.error })
}
