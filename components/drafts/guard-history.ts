type Guard = {
  /** Whether going to another entry of the history would lose something. */
  isBlocked: () => boolean
  /** Called instead of going there; `retry` goes there after all. */
  onBlocked: (retry: () => void) => void
}

/** Under which the state of an entry holds its place in the history. */
const PLACE = '__place'
let guard: Guard | null = null

/**
 * Has Back and Forward ask `next` first, from the first call on. A browser tells of them when they
 * have happened: the entry is left again before the router hears of it. Entries carry their place,
 * which says how far to go back; those made by links to a part of the page share that of the page.
 */
export function guardHistory(next: Guard): void {
  const isFirst = guard === null
  guard = next
  if (isFirst) watch(window.history)
}

function watch(history: History): void {
  let place = placeOf(history.state) ?? 0
  let isUndoing = false
  const { pushState, replaceState } = history
  const withPlace = (state: unknown) => ({ ...(state as object | null), [PLACE]: place })

  replaceState.call(history, withPlace(history.state), '')
  history.pushState = (state, unused, url) => {
    place += 1
    pushState.call(history, withPlace(state), unused, url)
  }
  history.replaceState = (state, unused, url) =>
    replaceState.call(history, withPlace(state), unused, url)

  const onPopState = (event: PopStateEvent) => {
    const target = placeOf(event.state)
    if (target === undefined) return
    const distance = target - place
    const isUndone = isUndoing && distance === 0
    isUndoing = false
    if (isUndone) return event.stopImmediatePropagation()
    if (distance === 0 || !guard?.isBlocked()) {
      place = target
      return
    }
    event.stopImmediatePropagation()
    isUndoing = true
    history.go(-distance)
    guard.onBlocked(() => history.go(distance))
  }
  // While it goes down: before the router, whenever that began to listen.
  window.addEventListener('popstate', onPopState, true)
}

function placeOf(state: unknown): number | undefined {
  const place = (state as Record<string, unknown> | null)?.[PLACE]
  return typeof place === 'number' ? place : undefined
}
