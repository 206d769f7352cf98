'use client'
import { LockIcon, SearchXIcon, TriangleAlertIcon } from 'lucide-react'
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

/** A refused filter is not tried again as it is: it is loosened or cleared. */
function FailedList({ error, list, onRetry }: FailedProps) {
  const refused = error instanceof ApiError && error.status === 400 && list.filtered
  if (!refused) return <ErrorState error={error} onRetry={() => onRetry()} />
  return (
    <EmptyState
      icon={TriangleAlertIcon}
      title="The filter was not understood"
      actions={<Button onClick={list.clear}>Clear the filter</Button>}
    >
      <span role="alert">{error.validations[0]?.error ?? error.message}</span>
    </EmptyState>
  )
}
