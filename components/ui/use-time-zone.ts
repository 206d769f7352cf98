import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Whether the page is alive: false on the server and while its text is taken over. */
export const useAlive = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

/**
 * The zone to write times in: UTC until the page is alive, since the server knows no other; then undefined, the
 * reader's own.
 */
export const useTimeZone = (): 'UTC' | undefined => (useAlive() ? undefined : 'UTC')
