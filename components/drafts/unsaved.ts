import { useCallback, useEffect, useId, useRef } from 'react'
import { create } from 'zustand'
import { useHandler } from '@/components/ui/use-handler'

export type QuestionWords = { title: string; keep: string; discard: string }

/** Input that would be lost. */
type Unsaved = {
  /** A sentence: `New airport is not saved yet.` */
  what: string
  /** The words of the question, unless they are those about unsaved changes. */
  words?: QuestionWords
  /** Forgets it: called when the user chooses so. */
  discard: () => void
  /** It is kept while the user goes from page to page, and lost with the tab. */
  outlivesPages?: boolean
}

type Question = {
  what: readonly string[]
  words?: QuestionWords
  onDiscard: () => void
  onKeep: () => void
}

const unsaved = new Map<string, Unsaved>()
const listeners = new Set<() => void>()
let mayUnload = false

/** The question that is asked now. */
export const useQuestion = create<{ asked: Question | null }>(() => ({ asked: null }))

/** Adds unsaved input under an id of its own; returns how to take it away. */
export function addUnsaved(id: string, entry: Unsaved): () => void {
  unsaved.set(id, entry)
  announce()
  return () => {
    if (unsaved.get(id) === entry) unsaved.delete(id)
    announce()
  }
}

/** `listener` is called when input becomes unsaved or is no longer. */
export function onUnsaved(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const announce = () => {
  for (const listener of listeners) listener()
}

/** Leaving the page would lose something. */
export const losesOnPage = () => [...unsaved.values()].some((entry) => !entry.outlivesPages)
/** Closing the tab would lose something. */
export const losesOnUnload = () => unsaved.size > 0 && !mayUnload

/** Loads the page again without asking; drafts stay. */
export function reloadPage(): void {
  mayUnload = true
  window.location.reload()
}

/**
 * Does what loses unsaved input, after the user has agreed to it; at once when there is none. With
 * an `id`, only that input would be lost. While a question is open nothing else is asked or done.
 */
export function leave(go: () => void, id?: string): void {
  if (useQuestion.getState().asked) return
  const lost = [...unsaved].filter(([each, entry]) =>
    id === undefined ? !entry.outlivesPages : each === id,
  )
  if (lost.length === 0) {
    go()
    return
  }
  const close = () => useQuestion.setState({ asked: null })
  const onDiscard = () => {
    close()
    for (const [each, { discard }] of lost) {
      unsaved.delete(each)
      discard()
    }
    announce()
    go()
  }
  const what = lost.map(([, entry]) => entry.what)
  const words = lost[0]?.[1].words
  useQuestion.setState({ asked: { what, words, onDiscard, onKeep: close } })
}

type Options = {
  /** A sentence: `New airport is not saved yet.` */
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
