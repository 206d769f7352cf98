import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useViewer } from '@/components/shell/viewer'
import { holderOf } from '@/components/shell/viewer-of'
import { can } from '@/lib/auth/rights'
import { getQueryClient } from '@/lib/query/client'
import { columnsOptions } from './entity-queries'
import {
  entitiesBeyond,
  type FieldsBeyond,
  fieldsBeyondKey,
  relatedColumns,
} from './related-columns'
import type { Relation } from './relations'
import type { ColumnDescription } from './types'

/**
 * The chosen columns of related entities, as far as the user may read them. `isPending`: the fields of those entities
 * are not known yet.
 */
export function useRelatedColumns(
  columns: readonly ColumnDescription[],
  relations: readonly Relation[],
  cols: readonly string[] | null,
) {
  const holder = holderOf(useViewer())
  const entities = entitiesBeyond(columns, cols).filter((entity) =>
    can(holder, { entity, action: 'read' }),
  )
  const enabled = entities.length > 0
  const { data = NONE, isPending } = useQuery({
    queryKey: fieldsBeyondKey(entities),
    queryFn: () => fieldsOf(entities),
    staleTime: 60_000,
    enabled,
    placeholderData: (before) => before,
  })
  const related = useMemo(
    () => relatedColumns(columns, relations, cols, data),
    [columns, relations, cols, data],
  )
  return { related, isPending: enabled && isPending }
}

const NONE: FieldsBeyond = {}

/** An entity that is refused has none. */
async function fieldsOf(entities: readonly string[]): Promise<FieldsBeyond> {
  const client = getQueryClient()
  const found = entities.map(async (entity) => {
    const answer = await client.fetchQuery(columnsOptions(entity)).catch(() => null)
    return [entity, answer?.data ?? []]
  })
  return Object.fromEntries(await Promise.all(found))
}
