import { useEffect, useEffectEvent } from 'react'

/** Calls what a letter is for while the focus is in a panel, where nothing there takes letters itself. */
export function usePanelKeys(acts: Record<string, (() => void) | undefined>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event
    const act = acts[key]
    if (!act || ctrlKey || metaKey || altKey || event.defaultPrevented) return
    if (!takesKeys(event.target as Element)) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Whether an element is in a panel, and no letter is its own. */
const takesKeys = (element: Element) =>
  element.closest('[role="dialog"]') !== null &&
  element.closest('input,textarea,select,[contenteditable],[role="menu"]') === null
