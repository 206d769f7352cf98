'use client'
import { useQuery } from '@tanstack/react-query'
import type { Condition } from '@/components/data-table/filter/condition'
import { countOptions } from './entity-queries'

type PageResponse = { meta: Record<string, unknown>; pagination?: { total: number | null } }

/** The total: at once as the planner estimates it, then counted. */
export function useTotal(entity: string, query: readonly Condition[], response?: PageResponse) {
  const isEstimate = response?.meta.count === 'estimated'
  const exact = useQuery({ ...countOptions(entity, query), enabled: isEstimate })
  if (isEstimate && exact.data !== undefined) return { value: exact.data, isEstimate: false }
  return { value: response?.pagination?.total ?? null, isEstimate }
}
