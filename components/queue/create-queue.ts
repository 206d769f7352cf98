import pLimit from 'p-limit'
import { create, type StoreApi } from 'zustand'
import { addUnsaved } from '@/components/drafts/unsaved'
import { messageOf } from '@/lib/errors'

/** `ready` to be started, `waiting` for its turn, `running`, then `done` or `failed`. */
type QueueState = 'ready' | 'waiting' | 'running' | 'done' | 'failed'

/** What every item has beside its own fields: the step it is at, and the state of that step. */
export type Queued<Step extends string> = {
  id: string
  step: Step
  state: QueueState
  /** Of the last step, when it failed. */
  error?: string
}

type Handle<Item> = {
  /** Aborted when the item is removed. */
  signal: AbortSignal
  change: (part: Partial<Item>) => void
}

type StepOptions<Item> = {
  /** Items that run this step at the same time. */
  concurrency: number
  /** Returns what changes with the success of the step; an error it throws becomes the item's. */
  run: (item: Item, handle: Handle<Item>) => Promise<Partial<Item>>
}

type Options<Step extends string, Item> = {
  steps: Record<Step, StepOptions<Item>>
  onRemove?: (item: Item) => void
}

/**
 * A queue of the browser tab. It outlives the pages that show it: leaving one stops nothing.
 * `useItems` is the list for components.
 */
export function createQueue<Step extends string, Item extends Queued<Step>>({
  steps,
  onRemove,
}: Options<Step, Item>) {
  const useItems = create<readonly Item[]>(() => [])
  const limits = new Map<Step, ReturnType<typeof pLimit>>()
  const running = new Map<string, AbortController>()
  const limitOf = (step: Step) => {
    const limit = limits.get(step) ?? pLimit(steps[step].concurrency)
    limits.set(step, limit)
    return limit
  }

  const items = useItems.getState
  const find = (id: string) => items().find((item) => item.id === id)
  const set = (next: readonly Item[]) => useItems.setState(next, true)
  const change = (id: string, part: Partial<Item> | Partial<Queued<Step>>) =>
    set(items().map((item) => (item.id === id ? { ...item, ...part } : item)))

  /** Runs `step` of an item as soon as there is room, again if it failed; a busy item is left alone. */
  async function start(id: string, step: Step): Promise<void> {
    const item = find(id)
    if (!item || isBusy(item)) return
    change(id, { step, state: 'waiting', error: undefined })
    await limitOf(step)(() => run(id, step))
  }

  async function run(id: string, step: Step): Promise<void> {
    const item = find(id)
    if (item?.state !== 'waiting') return
    const stop = new AbortController()
    running.set(id, stop)
    change(id, { state: 'running' })
    try {
      const handle = { signal: stop.signal, change: (part: Partial<Item>) => change(id, part) }
      const outcome = await steps[step].run(item, handle)
      change(id, { ...outcome, state: 'done' })
    } catch (error) {
      change(id, { state: 'failed', error: messageOf(error) })
    } finally {
      running.delete(id)
    }
  }

  /** Stops what the item is at and takes it off the list. */
  function remove(id: string): void {
    const item = find(id)
    if (!item) return
    set(items().filter((each) => each !== item))
    running.get(id)?.abort()
    onRemove?.(item)
  }

  const add = (added: readonly Item[]) => set([...items(), ...added])
  return { useItems, items, add, change, start, remove }
}

export const isBusy = ({ state }: { state: QueueState }) =>
  state === 'waiting' || state === 'running'

type Protection<Item> = { what: string; isLost: (item: Item) => boolean }

/** Has the browser ask before a tab is closed or reloaded that holds items which would be lost. */
export function protectQueue<Item>(
  { subscribe }: Pick<StoreApi<readonly Item[]>, 'subscribe'>,
  { what, isLost }: Protection<Item>,
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
