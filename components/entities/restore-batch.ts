import { toast } from 'sonner'
import { countOf } from '@/components/ui/number'
import { messageOf } from '@/lib/errors'
import { api } from '@/lib/http/client'
import { getQueryClient } from '@/lib/query/client'

type Restored = { restored: number; conflicts: unknown[] }

/** Brings deleted records back and says how many came. */
export async function restoreBatch(batchId: string): Promise<void> {
  try {
    const { data } = await api<Restored>(`/api/trash/${batchId}/restore`, { method: 'POST' })
    const { restored, conflicts } = data[0] ?? { restored: 0, conflicts: [] }
    await getQueryClient().invalidateQueries({ queryKey: ['search'] })
    await getQueryClient().invalidateQueries({ queryKey: ['count'] })
    if (conflicts.length === 0) toast.success(`${countOf(restored, 'record')} restored`)
    else
      toast.warning(
        `${countOf(restored, 'record')} restored; ${conflicts.length} could not be, as their keys are taken`,
      )
  } catch (error) {
    toast.error(messageOf(error))
  }
}
