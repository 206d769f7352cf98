import { useQuery } from '@tanstack/react-query'
import type { Condition } from '@/components/data-table/filter/condition'
import { describe, type FilterField } from '@/components/data-table/filter/field'
import { columnsOptions } from '@/components/entities/entity-queries'
import { useFilterFields } from '@/components/entities/use-filter-fields'
import { useCan } from '@/components/shell/viewer'
import { useTimeZone } from '@/components/ui/use-time-zone'
import type { TrashBatch } from '@/lib/trash/contract'

type Props = {
  batch: TrashBatch
  /** In one line, of a list. */
  inline?: boolean
}

/** By which conditions records were deleted, in the words of the entity. */
export function DeletionConditions({ batch, inline = false }: Props) {
  const entity = batch.entity ?? ''
  const mayRead = useCan({ entity, action: 'read' })
  const isNeeded = batch.entity !== null && (batch.query?.length ?? 0) > 0
  const columns = useQuery({
    ...columnsOptions(entity),
    enabled: mayRead && isNeeded,
    retry: false,
  })
  const fields = useFilterFields(columns.data?.data ?? NONE)
  const texts = conditionTexts(batch, fields, useTimeZone()) ?? []
  const [first, ...others] = texts
  if (first === undefined) return '—'
  if (inline) return <span title={texts.join(' and ')}>{texts.join(' and ')}</span>
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

/** The conditions of a deletion in words, one each; `All records` without any, null where they are not known. */
export function conditionTexts(
  { query }: Pick<TrashBatch, 'query'>,
  fields: readonly FilterField[] = [],
  timeZone?: string,
): string[] | null {
  if (query === null) return null
  if (query.length === 0) return ['All records']
  return (query as Condition[]).map((condition) => describe(condition, fields, timeZone))
}
