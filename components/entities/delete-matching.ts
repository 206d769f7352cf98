import type { Condition } from '@/components/data-table/filter/condition'
import { api } from '@/lib/http/client'
import type { Blocker, Effect } from '@/lib/records/contract'
import { entityPath } from './entity-queries'

/** How long deleted records can be restored. */
export const UNDO_DAYS = 7

/** Deletes the records that match, by parameters of a batch deletion: how many they are or would be, and what refers to them. */
export async function deleteMatching(entity: string, query: readonly Condition[], params: string) {
  const { data, meta } = await api<{ effected: number }>(
    `${entityPath(entity, '/batch')}?${params}`,
    {
      method: 'DELETE',
      // Without conditions all records are deleted: the API then expects no `query` property.
      body: query.length === 0 ? { entity } : { entity, query },
    },
  )
  return {
    effected: data[0]?.effected ?? 0,
    batchId: meta.batchId as string | undefined,
    blockedBy: meta.blockedBy as Blocker[] | undefined,
    effects: meta.effects as Effect[] | undefined,
  }
}
