import { useSearchParams } from 'next/navigation'
import { useSyncExternalStore } from 'react'

/** What stands after `#` in the page's address; empty on the server. */
export function useHash(): string {
  // A link that Next.js follows raises no `hashchange`; this hook renders again for each.
  useSearchParams()
  return useSyncExternalStore(subscribe, read, () => '')
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange)
  return () => window.removeEventListener('hashchange', onChange)
}

function read(): string {
  const hash = window.location.hash.slice(1)
  try {
    return decodeURIComponent(hash)
  } catch {
    return hash
  }
}
