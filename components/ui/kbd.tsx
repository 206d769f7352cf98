import { type ReactNode, useSyncExternalStore } from 'react'

export const Kbd = ({ children }: { children: ReactNode }) => (
  <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded border bg-muted px-1 font-sans text-xs text-muted-foreground">
    {children}
  </kbd>
)

/** The key of commands: ⌘ on a Mac, Ctrl elsewhere. */
export function ModKey() {
  const isMac = useSyncExternalStore(
    () => () => {},
    () => /Mac|iPhone|iPad/.test(navigator.platform),
    () => false,
  )
  return <Kbd>{isMac ? '⌘' : 'Ctrl'}</Kbd>
}
