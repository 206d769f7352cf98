import type { Condition } from '@/components/data-table/filter/condition'
import { describe } from '@/components/data-table/filter/field'
import { useKnownFields } from '@/components/data-table/filter/use-known-fields'
import { useTimeZone } from '@/components/ui/use-time-zone'
import type { ColumnDescription } from './types'
import { useFilterFields } from './use-filter-fields'

type Props = {
  filter: readonly Condition[]
  columns: ColumnDescription[]
  /** What the conditions are of. */
  of: 'deletion' | 'edit' | 'erasure'
}

/** Which records something is done to, in the words of the filter. */
export function ConditionList({ filter, columns, of }: Props) {
  const timeZone = useTimeZone()
  const fields = useKnownFields(useFilterFields(columns), filter)
  if (filter.length === 0) return null
  return (
    <div className="text-[13px]">
      <p className="text-muted-foreground">
        {filter.length === 1 ? 'Condition' : 'All of these conditions hold'}
      </p>
      <ul aria-label={`Conditions of the ${of}`} className="list-disc pl-4 break-words">
        {filter.map((condition) => (
          <li key={JSON.stringify(condition)}>{describe(condition, fields, timeZone)}</li>
        ))}
      </ul>
    </div>
  )
}
