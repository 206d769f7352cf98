import { type RefObject, useEffect } from 'react'

/** After each refusal, an object of its own, the first wrong field within `area` has the focus. */
export function useFocusOnRefusal(area: RefObject<HTMLElement | null>, refusal: unknown): void {
  useEffect(() => {
    if (refusal) area.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [area, refusal])
}
