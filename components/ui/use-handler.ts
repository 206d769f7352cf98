import { useCallback, useLayoutEffect, useRef } from 'react'

/**
 * A function that is the same in every render and does what the latest `handler` does: for events
 * of memoised components, never for what is called while rendering.
 */
export function useHandler<Args extends unknown[]>(handler: ((...args: Args) => void) | undefined) {
  const latest = useRef(handler)
  useLayoutEffect(() => {
    latest.current = handler
  })
  return useCallback((...args: Args) => latest.current?.(...args), [])
}
