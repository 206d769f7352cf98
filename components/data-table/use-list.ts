'use client'
import { useMemo } from 'react'
import { type Search, useSearch } from '@/lib/query/search'
import type { ListParams } from './list-params'
import { useListState } from './use-list-state'

/** The page of `entity` that the address asks for; `search` makes the request of it. */
export function useList<Row>(entity: string, search: (params: ListParams) => Search) {
  const list = useListState()
  const answer = useSearch<Row>(entity, search(list))
  const rows = useMemo(() => answer.data?.data ?? [], [answer.data])
  return { list, answer, rows }
}
