'use client'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { useListMemory, useResumedList } from '@/components/data-table/list-memory'
import { type ListState, useListState } from '@/components/data-table/use-list-state'
import { paramsOf, viewsOptions } from './view-queries'

/** The list as it was left, else in the view that the entity opens with. */
export function useResumed(entity: string): ListState {
  const list = useListState()
  const { cols, savedView, resume } = list
  const opening = useQuery(viewsOptions(entity)).data?.data.find(({ opens }) => opens)
  useResumedList(useListMemory() ?? '', {
    isBare: useSearchParams().size === 0,
    cols,
    hasView: Boolean(savedView),
    resume,
    initially: opening && paramsOf(opening),
  })
  return list
}
