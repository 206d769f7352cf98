'use client'
import { useCallback, useEffect, useId, useRef } from 'react'
import { useHandler } from '@/components/ui/use-handler'
import { addUnsaved, leave, type QuestionWords } from './unsaved'

type Options = {
  /** A sentence: `The new record of Airport is not saved yet.` */
  what: string
  words?: QuestionWords
  dirty: boolean
  onDiscard?: () => void
}

/**
 * Protects what a form holds while it is `dirty`. `leave` closes the form, after a question if it
 * is dirty; `settle` says that nothing is unsaved, until the form has been clean and is dirty again.
 */
export function useUnsaved({ what, words, dirty, onDiscard }: Options) {
  const id = useId()
  const settled = useRef(false)
  const drop = useRef(() => {})
  const discard = useHandler(onDiscard)
  const settle = useCallback(() => {
    settled.current = true
    drop.current()
  }, [])
  useEffect(() => {
    if (!dirty) settled.current = false
    if (!dirty || settled.current) return
    drop.current = addUnsaved(id, {
      what,
      words,
      discard: () => {
        settled.current = true
        discard()
      },
    })
    return () => drop.current()
  }, [id, what, words, dirty, discard])
  const leaveForm = useCallback((go: () => void) => leave(go, id), [id])
  return { leave: leaveForm, settle, settled }
}
