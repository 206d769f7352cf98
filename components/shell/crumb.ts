import { usePathname } from 'next/navigation'
import { useEffect, useSyncExternalStore } from 'react'

/** The name of the page at `path`; there is one page at a time. */
let crumb: { path: string; label: string } | null = null
const listeners = new Set<() => void>()

/** Names the page in the breadcrumbs, once what it shows is known. */
export function useOwnCrumb(label: string | undefined): void {
  const path = usePathname()
  useEffect(() => {
    if (!label) return
    crumb = { path, label }
    for (const listener of listeners) listener()
  }, [path, label])
}

/** The name that the page at `path` gave itself. */
export const useCrumb = (path: string): string | undefined =>
  useSyncExternalStore(
    subscribe,
    () => (crumb?.path === path ? crumb.label : undefined),
    () => undefined,
  )

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
