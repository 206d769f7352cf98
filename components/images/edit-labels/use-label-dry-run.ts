'use client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { LabelChange } from './label-input'
import { type ImageSelection, sendLabelEdit } from './send-label-edit'

const TYPING_MS = 350

/** Runs an edit without effect when its input is complete and has not changed for a moment. */
export function useLabelDryRun(selection: ImageSelection, change: LabelChange | null) {
  const text = change && JSON.stringify(change)
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['dry-label-edit', selection, text],
    queryFn: ({ signal }) =>
      sendLabelEdit({ selection, change: change ?? {} }, { dryRun: true, signal }),
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
