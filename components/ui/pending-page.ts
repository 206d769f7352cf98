import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useSyncExternalStore, useTransition } from 'react'
import { leave } from '@/components/drafts/unsaved'

// Pages that were asked for and have not come yet.
let waiting = 0
const listeners = new Set<() => void>()

function change(by: 1 | -1): void {
  waiting += by
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether a page is on its way. */
export const useIsPageWaiting = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => waiting > 0,
    () => false,
  )

/** Counts as a page on its way while `isPending`. */
export function useWaiting(isPending: boolean): void {
  useEffect(() => {
    if (!isPending) return
    change(1)
    return () => change(-1)
  }, [isPending])
}

/**
 * Goes to a page of the console, after a question when that loses unsaved input; its loading is
 * shown as that of a link is.
 */
export function useNavigate(): (href: string) => void {
  const router = useRouter()
  const [isPending, start] = useTransition()
  useWaiting(isPending)
  return useCallback((href: string) => leave(() => start(() => router.push(href))), [router])
}
