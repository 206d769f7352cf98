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
      <EmptyState icon={LockIcon} title="You don’t have access to this">
        {error.message}. Ask an administrator for access.
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

/** A refused search is not tried again as it is: what the server names is corrected or taken away. */
function FailedList({ error, list, onRetry }: FailedProps) {
  const refused = error instanceof ApiError && error.status === 400
  if (!refused || (!list.filtered && list.sort.length === 0))
    return <ErrorState error={error} onRetry={() => onRetry()} />
  const places = error.validations.map(({ field }) => /^(query|sort)\.(\d+)/.exec(field) ?? [])
  const wrong = new Set(places.flatMap(([, list, at]) => (list === 'query' ? Number(at) : [])))
  const isSort = places.some(([, list]) => list === 'sort')
  const kept = list.filter.filter((_, index) => !wrong.has(index))
  const count = list.filter.length - kept.length
  const reasons = [...new Set(error.validations.map((each) => each.error))].slice(0, MAX_REASONS)
  return (
    <EmptyState
      icon={TriangleAlertIcon}
      title={titleOf(count, isSort)}
      actions={
        <>
          {count > 0 && (
            <>
              <Button variant="primary" onClick={() => list.filterChips.current?.openFirstWrong()}>
                Correct {count === 1 ? 'it' : 'them'}
              </Button>
              <Button onClick={() => list.setFilter(kept)}>
                Remove {count === 1 ? 'it' : 'them'}
              </Button>
            </>
          )}
          {isSort && <Button onClick={() => list.setSort([])}>Reset the sort</Button>}
          {list.filtered && count !== 1 && <Button onClick={list.clear}>Clear the filter</Button>}
        </>
      }
    >
      <div role="alert">
        {(reasons.length > 0 ? reasons : [error.message]).map((reason) => (
          <p key={reason}>{reason}</p>
        ))}
        {count > 0 && (
          <p>Nothing is shown until {count === 1 ? 'it is' : 'they are'} corrected or removed.</p>
        )}
      </div>
    </EmptyState>
  )
}

const MAX_REASONS = 3

const titleOf = (count: number, isSort: boolean): string => {
  if (count === 0) return isSort ? 'The sort can’t be used' : 'The filter was not understood'
  return count === 1 ? 'A condition can’t be used' : `${count} conditions can’t be used`
}
