import { usePathname } from 'next/navigation'
import { useEffect, useSyncExternalStore } from 'react'

/** What the page at `path` is called, and what is open on it; there is one page at a time. */
type Crumb = { path: string; label?: string; open?: string }

let crumb: Crumb = { path: '' }
const listeners = new Set<() => void>()

function set(path: string, part: Omit<Crumb, 'path'>): void {
  crumb = { ...(crumb.path === path ? crumb : {}), path, ...part }
  for (const listener of listeners) listener()
}

/** Names the page in the breadcrumbs and in the window's title, once what it shows is known. */
export function useOwnCrumb(label: string | undefined): void {
  const path = usePathname()
  useWindowTitle(label)
  useEffect(() => {
    if (label) set(path, { label })
  }, [path, label])
}

/** Names what is open on the page, after the page itself, until it is closed. */
export function useOpenCrumb(label: string | undefined): void {
  const path = usePathname()
  useWindowTitle(label)
  useEffect(() => {
    if (!label) return
    set(path, { open: label })
    return () => {
      // Another page may have named itself meanwhile.
      if (crumb.path === path) set(path, { open: undefined })
    }
  }, [path, label])
}

/** `Book 041 · Book · Engine`: the window's title begins with `label` until another page has its own. */
function useWindowTitle(label: string | undefined): void {
  useEffect(() => {
    const usual = document.title
    if (!label || usual.startsWith(`${label} · `)) return
    const title = `${label} · ${usual}`
    document.title = title
    return () => {
      if (document.title === title) document.title = usual
    }
  }, [label])
}

const NOTHING: Crumb = { path: '' }

/** The names that the page at `path` gave itself and what is open on it. */
export function useCrumb(path: string): Crumb {
  const named = useSyncExternalStore(
    subscribe,
    () => crumb,
    () => NOTHING,
  )
  return named.path === path ? named : NOTHING
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
