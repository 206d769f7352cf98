'use client'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { toast } from 'sonner'
import { announceEdit } from '@/components/trash/announce-restoration'
import { refreshRecords } from '@/components/trash/trash-queries'
import { type BatchEdit, sendEdit } from './send-edit'

type Options = Omit<BatchEdit, 'set'> & {
  onDone: () => void
  /** Nothing was changed, so the numbers that are shown may be old. */
  onRefused: () => void
}

const UNDO_DAYS = 7

/** Carries an edit out; `stop` ends it, which changes nothing unless it was complete by then. */
export function useEditing({ entity, query, onDone, onRefused }: Options) {
  const request = useRef(new AbortController())
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ set, expected }: { set: BatchEdit['set']; expected: number }) => {
      request.current = new AbortController()
      const { signal } = request.current
      return sendEdit({ entity, query, set }, { expected, undoDays: UNDO_DAYS, signal })
    },
    onSuccess: ({ updated, batchId }) => {
      onDone()
      announceEdit(updated, entity, batchId)
    },
    onError: () => {
      if (!request.current.signal.aborted) return onRefused()
      onDone()
      toast.info('The edit was stopped. If it was complete by then, it can be undone in the trash.')
    },
    onSettled: () => void refreshRecords(),
  })
  return { start: mutate, stop: () => request.current.abort(), isPending, error }
}
