'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { entitiesOptions } from '@/components/entities/entity-queries'
import { NoEntities } from '@/components/entities/no-entities'
import { Card } from '@/components/ui/card'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/state'
import { useSearch } from '@/lib/query/search'
import { installsSince } from './dashboard-searches'
import { EntitiesChart } from './entities-chart'
import { DAYS, firstDay, installsByDay } from './installs-by-day'
import { InstallsChart } from './installs-chart'

const ChartSkeleton = () => <Skeleton className="h-52" />

/** How many bars there is room for. */
const LARGEST = 8

export function Installs() {
  const [now] = useState(Date.now)
  const installs = useSearch<{ startedAt: string; status: string }>(
    'EnginePluginHistory',
    installsSince(firstDay(now)),
  )
  return (
    <Card title={`Installs of the last ${DAYS} days`}>
      <div className="grid min-h-56 gap-2">
        {installs.error ? (
          <ErrorState error={installs.error} onRetry={() => installs.refetch()} />
        ) : installs.data ? (
          <InstallsChart days={installsByDay(installs.data.data, now)} />
        ) : (
          <ChartSkeleton />
        )}
      </div>
    </Card>
  )
}

export function RecordsByEntity() {
  const entities = useQuery(entitiesOptions)
  const counted = (entities.data?.data ?? [])
    .map(({ name, records }) => ({ name, count: records?.value ?? 0 }))
    .sort((a, b) => b.count - a.count)
    .slice(0, LARGEST)
  return (
    <Card title="Records by entity">
      <div>
        {entities.error ? (
          <ErrorState error={entities.error} onRetry={() => entities.refetch()} />
        ) : entities.isPending ? (
          <ChartSkeleton />
        ) : counted.length === 0 ? (
          <NoEntities />
        ) : (
          <EntitiesChart entities={counted} />
        )}
      </div>
    </Card>
  )
}
