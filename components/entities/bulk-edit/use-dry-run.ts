'use client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { exactJsonText } from '@/lib/values/exact-json'
import { type BatchEdit, sendEdit } from './send-edit'

const TYPING_MS = 350

type Options = Omit<BatchEdit, 'set'> & { set: BatchEdit['set'] | null }

/**
 * Runs an edit without effect when its input is complete and has not changed for a moment. A change of the input
 * cancels the run.
 */
export function useDryRun({ entity, query, set }: Options) {
  const text = set && exactJsonText(set)
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['dry-edit', entity, query, text],
    queryFn: ({ signal }) => sendEdit({ entity, query, set: set ?? {} }, { dryRun: true, signal }),
    enabled: text !== null && text === settled,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return {
    data: isFetching ? undefined : data,
    error: isFetching ? null : error,
    isRunning: text !== null && (text !== settled || isFetching),
    again: () => void refetch(),
  }
}
