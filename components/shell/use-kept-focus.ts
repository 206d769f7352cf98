import { useEffect } from 'react'

/**
 * Keeps the focus in the page when what had it is taken away, as by a deletion or with a panel: without this, the keyboard would begin
 * again at the top. It goes to the window that is open, the current row of the table where it was last, what had it there last, or the
 * content. A new page begins at its top.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    const memory: Memory = { last: null, inContent: null, table: null, path: '' }
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement) note(memory, target)
    }
    let frame = 0
    const look = () => {
      if (!isLost(memory)) return
      cancelAnimationFrame(frame)
      // What closes by itself returns the focus first.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => isLost(memory) && placeIn(memory)?.focus())
      })
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', remember)
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
      document.removeEventListener('focusin', remember)
    }
  }, [])
}

type Memory = {
  /** What had the focus last. */
  last: HTMLElement | null
  inContent: HTMLElement | null
  table: HTMLTableElement | null
  /** Of the page where it had it. */
  path: string
}

const CONTENT = '#content'

function note(memory: Memory, target: HTMLElement): void {
  const { pathname } = window.location
  if (memory.path !== pathname) Object.assign(memory, { inContent: null, table: null })
  Object.assign(memory, { last: target, path: pathname })
  if (!target.closest(CONTENT)) return
  memory.inContent = target
  memory.table = target.closest('table') ?? memory.table
}

const isLost = ({ last, path }: Memory): boolean =>
  last !== null &&
  !last.isConnected &&
  document.activeElement === document.body &&
  path === window.location.pathname

const CURRENT_ROW = 'tbody tr[tabindex="0"]'

function placeIn({ inContent, table }: Memory): HTMLElement | null {
  const windows = document.querySelectorAll<HTMLElement>('[role="dialog"],[role="alertdialog"]')
  const content = document.querySelector<HTMLElement>(CONTENT)
  const shown = table?.isConnected ? table : content?.querySelector('table')
  return (
    [...windows].at(-1) ??
    shown?.querySelector<HTMLElement>(CURRENT_ROW) ??
    shown?.closest<HTMLElement>('[tabindex="0"]') ??
    (inContent?.isConnected ? inContent : content)
  )
}
