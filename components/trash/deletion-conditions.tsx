'use client'
import { useQuery } from '@tanstack/react-query'
import { columnsOptions } from '@/components/entities/entity-queries'
import { useFilterFields } from '@/components/entities/use-filter-fields'
import { useCan } from '@/components/shell/viewer'
import { useTimeZone } from '@/components/ui/use-time-zone'
import type { TrashBatch } from '@/lib/trash/contract'
import { conditionTexts } from './condition-text'

/** By which conditions records were deleted, in the words of the entity. */
export function DeletionConditions({ batch }: { batch: TrashBatch }) {
  const entity = batch.entity ?? ''
  const mayRead = useCan({ entity, action: 'read' })
  const columns = useQuery({ ...columnsOptions(entity), enabled: mayRead, retry: false })
  const fields = useFilterFields(columns.data?.data ?? NONE)
  const [first, ...others] = conditionTexts(batch, fields, useTimeZone()) ?? []
  if (first === undefined) return '—'
  if (others.length === 0) return first
  return (
    <ul className="list-disc pl-4 break-words">
      {[first, ...others].map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}

const NONE: never[] = []
