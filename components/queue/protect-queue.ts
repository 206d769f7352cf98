import type { StoreApi } from 'zustand'
import { addUnsaved } from '@/components/drafts/unsaved'

type Options<Item> = { what: string; isLost: (item: Item) => boolean }

/** Has the browser ask before a tab is closed or reloaded that holds items which would be lost. */
export function protectQueue<Item>(
  { subscribe }: Pick<StoreApi<readonly Item[]>, 'subscribe'>,
  { what, isLost }: Options<Item>,
): void {
  let release: (() => void) | null = null
  subscribe((items) => {
    const isNeeded = items.some(isLost)
    if (isNeeded) release ??= addUnsaved(what, { what, discard: () => {}, outlivesPages: true })
    else {
      release?.()
      release = null
    }
  })
}
