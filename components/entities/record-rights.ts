import { useQuery } from '@tanstack/react-query'
import type { Condition } from '@/components/data-table/filter/condition'
import { useCan, useViewer } from '@/components/shell/viewer'
import { holderOf } from '@/components/shell/viewer-of'
import { isForAllRows } from '@/lib/auth/rights'
import { api } from '@/lib/http/client'
import { formColumns } from './draft'
import { entityPath } from './entity-queries'
import type { ColumnDescription, EntityRecord } from './types'

type Input = {
  entity: string
  columns: readonly ColumnDescription[]
  query: Condition[]
  record: EntityRecord | undefined
  readOnly: boolean
}

/** Whether an action is offered of a record, and why it can't be done to this one. */
type Offer = { isOffered: boolean; why: string | null }

export type RecordRights = { edit: Offer; remove: Offer }

/**
 * What may be done to one record. The server is asked only where the user's rights depend on the record, and by a dry run: the rule
 * itself stays there. What it does not answer stays on offer.
 */
export function useRecordRights(input: Input): RecordRights {
  const { entity, columns, query, record, readOnly } = input
  const holder = holderOf(useViewer())
  const mayUpdate = useCan({ entity, action: 'update' }) && !readOnly
  const mayDelete = useCan({ entity, action: 'delete' }) && !readOnly
  const depends = (action: 'update' | 'delete') => !isForAllRows(holder, { entity, action })
  const field = formColumns(columns, false).find(({ name }) => record && name in record)
  const asks = record !== undefined
  const edited = useQuery({
    queryKey: ['record-rights', 'update', entity, query],
    queryFn: ({ signal }) =>
      covered(
        entity,
        'PATCH',
        { query, set: { [field?.name ?? '']: record?.[field?.name ?? ''] } },
        signal,
      ),
    enabled: asks && mayUpdate && field !== undefined && depends('update'),
    ...ONCE,
  })
  const deleted = useQuery({
    queryKey: ['record-rights', 'delete', entity, query],
    queryFn: ({ signal }) => covered(entity, 'DELETE', { query }, signal),
    enabled: asks && mayDelete && depends('delete'),
    ...ONCE,
  })
  return {
    edit: { isOffered: mayUpdate, why: edited.data === false ? NOT_CHANGED : null },
    remove: { isOffered: mayDelete, why: deleted.data === false ? NOT_DELETED : null },
  }
}

const NOT_CHANGED = 'Your rights don’t let you change this record'
const NOT_DELETED = 'Your rights don’t let you delete this record'
const ONCE = { retry: false, staleTime: 30_000, gcTime: 0 } as const

async function covered(
  entity: string,
  method: 'PATCH' | 'DELETE',
  body: object,
  signal: AbortSignal,
): Promise<boolean> {
  const path = entityPath(entity, '/batch?dryRun=true')
  const { data } = await api<{ effected: number }>(path, {
    method,
    body: { entity, ...body },
    signal,
  })
  return data[0]?.effected !== 0
}
