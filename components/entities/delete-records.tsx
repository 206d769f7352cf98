'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Condition } from '@/components/data-table/filter/condition'
import { announceDeletion } from '@/components/trash/announce-restoration'
import { refreshRecords } from '@/components/trash/trash-queries'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { countOf, formatCount } from '@/components/ui/number'
import { api } from '@/lib/http/client'
import type { Blocker, Effect } from '@/lib/records/contract'
import { ConditionList } from './condition-list'
import { DeletionReferences } from './deletion-references'
import { entityPath } from './entity-queries'
import type { ColumnDescription } from './types'

type Props = {
  entity: string
  query: readonly Condition[]
  /** Of the only record that matches. */
  name?: string
  /** What the records have in common, where they were not chosen one by one. */
  conditions?: { filter: readonly Condition[]; columns: ColumnDescription[] }
  onClose: () => void
  onDeleted: () => void
}

/** From here on the entity's name has to be typed. */
const MANY = 100
const UNDO_DAYS = 7

/**
 * Asks before records are deleted. The server counts them with the same conditions, and the number
 * is sent as `expected`: if it has changed since, nothing is deleted.
 */
export default function DeleteRecords(props: Props) {
  const { entity, query, name, conditions, onClose, onDeleted } = props
  const count = useQuery({
    queryKey: ['delete-count', entity, query],
    queryFn: () => remove(entity, query, 'dryRun=true'),
    staleTime: 0,
    gcTime: 0,
  })
  const expected = count.data?.effected
  const deletion = useMutation({
    mutationFn: () => remove(entity, query, `expected=${expected}&undo=${UNDO_DAYS}d`),
    onSuccess: ({ effected, batchId }) => {
      onDeleted()
      onClose()
      void refreshRecords()
      announceDeletion(effected, entity, batchId)
    },
    onError: () => void count.refetch(),
  })
  const { blockedBy = [], effects = [] } = count.data ?? {}
  const blocked =
    blockedBy.length > 0
      ? 'Nothing can be deleted while records refer to it. Change or delete those first.'
      : null
  const many = expected === undefined ? 'records' : countOf(expected, 'record')
  const what = name ? `“${name}”` : many
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete ${what} ${name ? 'from' : 'of'} ${entity}?`}
      description={
        query.length === 0
          ? `All records of ${entity} are deleted. They can be restored for ${UNDO_DAYS} days.`
          : `${name ? 'It' : 'They'} can be restored for ${UNDO_DAYS} days.`
      }
      confirmLabel={expected === undefined ? 'Counting' : `Delete ${formatCount(expected)}`}
      disabled={expected === undefined || expected === 0 || blocked !== null}
      typeToConfirm={(expected ?? 0) > MANY ? entity : undefined}
      busy={deletion.isPending}
      error={deletion.error?.message ?? count.error?.message ?? blocked ?? undefined}
      onConfirm={() => deletion.mutate()}
    >
      {conditions && <ConditionList {...conditions} of="deletion" />}
      <DeletionReferences entity={entity} query={query} blockedBy={blockedBy} effects={effects} />
    </ConfirmDialog>
  )
}

async function remove(entity: string, query: readonly Condition[], params: string) {
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
