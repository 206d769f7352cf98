'use client'
import { useQuery } from '@tanstack/react-query'
import { GaugeIcon } from 'lucide-react'
import { Card } from '@/components/ui/card'
import { formatDuration } from '@/components/ui/number'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/state'
import type { AdviceMeta } from '@/lib/advice/contract'
import { AddedIndexes } from './added-indexes'
import { adviceOptions } from './advice-queries'
import { SlowSearch } from './slow-search'

/** The slow searches of an entity, the indexes that would help, and those that were added. */
export function Performance({ entity }: { entity: string }) {
  const advice = useQuery(adviceOptions(entity))
  if (advice.isPending) return <Skeleton className="h-40" />
  if (advice.error)
    return (
      <Card title="Slow searches" flush>
        <ErrorState error={advice.error} onRetry={() => advice.refetch()} />
      </Card>
    )
  const { data } = advice.data
  const { slowSearchMs, indexes } = advice.data.meta as AdviceMeta
  return (
    <>
      {indexes.length > 0 && (
        <Card flush title="Added indexes">
          <AddedIndexes entity={entity} indexes={indexes} />
        </Card>
      )}
      <Card
        flush
        title="Slow searches"
        description={`By their fields and operators, without values; from ${formatDuration(slowSearchMs)} on`}
      >
        {data.length === 0 ? (
          <EmptyState icon={GaugeIcon} title="No slow searches">
            Searches that take {formatDuration(slowSearchMs)} or longer are listed here, with the
            index that would help.
          </EmptyState>
        ) : (
          <ul aria-label="Slow searches" className="divide-y">
            {data.map((one) => (
              <SlowSearch key={one.id} entity={entity} advice={one} />
            ))}
          </ul>
        )}
      </Card>
    </>
  )
}
