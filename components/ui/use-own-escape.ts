import { useEffect, useEffectEvent } from 'react'

/** Escape calls `onEscape` and nothing else: for a window over another one that is not around it. */
export function useOwnEscape(onEscape: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing) return
    event.preventDefault()
    event.stopImmediatePropagation()
    onEscape()
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', onKeyDown, true)
    return () => window.removeEventListener('keydown', onKeyDown, true)
  }, [])
}
