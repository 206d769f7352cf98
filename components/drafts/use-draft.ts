import { useEffect, useRef, useState } from 'react'
import { useViewer } from '@/components/shell/viewer'
import { useHandler } from '@/components/ui/use-handler'
import { dropDraft, readDraft, writeDraft } from './stored-drafts'
import { useUnsaved } from './unsaved'

type Options<Values> = {
  /** The form and its object: `record Airport LHR`. Another one needs another component instance. */
  form: string
  /** A sentence: `The changes of Airport LHR are not saved yet.` */
  what: string
  /** What differs from the stored object, without passwords and other secrets; null: nothing. */
  values: Values | null
  /** Of the stored object. */
  version?: string
  restore: (values: Values) => void
  /** Shows the stored object again. */
  reset: () => void
}

export type RestoredDraft = { savedAt: number; isOutdated: boolean; onDiscard: () => void }

/**
 * Protects the input of a form as `useUnsaved` does, and keeps it on this device until it is saved
 * or discarded: the form opens with it again. `settle` is to be called when it was saved.
 */
export function useDraft<Values>(options: Options<Values>) {
  const { form, what, values, version = null, restore, reset } = options
  const { userId } = useViewer()
  const [found, setFound] = useState<Omit<RestoredDraft, 'onDiscard'> | null>(null)
  const text = values === null ? null : JSON.stringify(values)
  const forget = () => {
    dropDraft({ userId, form })
    setFound(null)
  }
  const onDiscard = () => {
    forget()
    reset()
  }
  const { settled, settle, leave } = useUnsaved({ what, dirty: text !== null, onDiscard })
  const write = (content: string) => {
    if (settled.current) return
    writeDraft({ userId, form }, { savedAt: Date.now(), version, values: JSON.parse(content) })
  }
  useKept(text, write, forget)
  const restoreStored = useHandler(() => {
    const stored = readDraft({ userId, form })
    if (!stored) return
    restore(stored.values as Values)
    setFound({ savedAt: stored.savedAt, isOutdated: stored.version !== version })
  })
  useEffect(() => restoreStored(), [restoreStored])
  return {
    leave,
    settle: () => {
      settle()
      forget()
    },
    restored: found && text !== null ? { ...found, onDiscard } : null,
  }
}

const WRITE_AFTER_MS = 300

/** Writes `text` a moment after it changed, at once when the form or the page goes. */
function useKept(text: string | null, write: (text: string) => void, forget: () => void): void {
  const pending = useRef<string | null>(null)
  const wasDirty = useRef(false)
  const onClean = useHandler(forget)
  const flush = useHandler(() => {
    if (pending.current !== null) write(pending.current)
    pending.current = null
  })
  useEffect(() => {
    pending.current = text
    if (text === null && wasDirty.current) onClean()
    wasDirty.current = text !== null
    const timer = setTimeout(flush, WRITE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [text, flush, onClean])
  useEffect(() => {
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [flush])
}
