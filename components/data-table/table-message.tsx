'use client'
import { LockIcon, SearchXIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { EmptyState, ErrorState } from '@/components/ui/state'
import { ApiError } from '@/lib/http/client'
import type { Loading } from './data-table'
import type { ListState } from './use-list-state'

type Props = { list: ListState; loading: Loading; empty: ReactNode }

/** What stands in place of rows: an error, not allowed, nothing matches, nothing yet. */
export function TableMessage({ list, loading, empty }: Props) {
  const { error } = loading
  if (error instanceof ApiError && error.status === 403) {
    return (
      <EmptyState icon={LockIcon} title="You may not see this">
        {error.message}
      </EmptyState>
    )
  }
  if (error) return <FailedList error={error} list={list} onRetry={loading.refetch} />
  if (!list.filtered && list.page > 1) {
    return (
      <EmptyState
        title="This page is past the end"
        actions={<Button onClick={() => list.setPage(1)}>Go to the first page</Button>}
      />
    )
  }
  if (!list.filtered) return empty
  return (
    <EmptyState
      icon={SearchXIcon}
      title="Nothing matches"
      actions={<Button onClick={list.clear}>Clear the filter</Button>}
    >
      Loosen or remove a condition.
    </EmptyState>
  )
}

type FailedProps = { error: Error; list: ListState; onRetry: () => unknown }

function FailedList({ error, list, onRetry }: FailedProps) {
  const refused = error instanceof ApiError && error.status === 400 && list.filtered
  return (
    <div className="grid justify-items-center">
      <ErrorState
        error={error}
        title={refused ? 'The filter was not understood' : undefined}
        onRetry={() => onRetry()}
      />
      {refused && (
        <Button className="-mt-10 mb-10" onClick={list.clear}>
          Clear the filter
        </Button>
      )}
    </div>
  )
}
