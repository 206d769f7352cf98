import { type RefObject, useEffect } from 'react'

/** Sends a form with Ctrl or ⌘ and Enter, wherever in its panel or dialog the focus is. */
export function useSubmitKey(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      const area = form.current?.closest('[role="dialog"]') ?? form.current
      if (event.defaultPrevented || event.repeat || !area?.contains(event.target as Node)) return
      event.preventDefault()
      form.current?.requestSubmit()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [form])
}
