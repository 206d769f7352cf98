import { type RefObject, useEffect, useState } from 'react'

const NONE: ReadonlySet<string> = new Set()

/** Which fields were changed since a refusal, so that what it says of them holds no longer. */
export function useCorrections(refusal: unknown) {
  const [since, setSince] = useState({ refusal, names: NONE })
  const names = since.refusal === refusal ? since.names : NONE
  return {
    isCorrected: (name: string) => names.has(name),
    correct: (...changed: string[]) => {
      if (changed.some((name) => !names.has(name)))
        setSince({ refusal, names: new Set([...names, ...changed]) })
    },
  }
}

/** After each refusal, an object of its own, the first wrong field within `area` has the focus. */
export function useFocusOnRefusal(area: RefObject<HTMLElement | null>, refusal: unknown): void {
  useEffect(() => {
    if (refusal) area.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [area, refusal])
}
