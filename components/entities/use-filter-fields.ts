'use client'
import { useMemo } from 'react'
import type { FilterField } from '@/components/data-table/filter/field'
import { useViewer } from '@/components/shell/viewer'
import { holderOf } from '@/components/shell/viewer-of'
import { can } from '@/lib/auth/rights'
import { toFilterFields } from './filter-fields'
import type { ColumnDescription } from './types'

/** The fields that the user can filter by, with the ways to entities that the user may read. */
export function useFilterFields(columns: readonly ColumnDescription[]): FilterField[] {
  const viewer = useViewer()
  return useMemo(() => {
    const mayRead = (entity: string) => can(holderOf(viewer), { entity, action: 'read' })
    return toFilterFields(columns, mayRead)
  }, [columns, viewer])
}
