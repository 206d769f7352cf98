import dynamic from 'next/dynamic'
import { useEffect } from 'react'
import { useNavigate } from '@/components/ui/pending-page'
import { leave, losesOnPage, losesOnUnload, onUnsaved, useQuestion } from './unsaved'

const loadQuestion = () => import('./leave-question')
const LeaveQuestion = dynamic(loadQuestion, { ssr: false })

/** Asks before links, Back, Forward, reloading or closing the tab throw unsaved input away. */
export function LeaveGuard() {
  const asked = useQuestion((state) => state.asked)
  const navigate = useNavigate()
  useEffect(() => {
    guardHistory({ isBlocked: losesOnPage, onBlocked: leave })
    const onClick = (event: MouseEvent) => {
      const href = losesOnPage() ? followedLink(event) : null
      if (href === null) return
      event.preventDefault()
      event.stopImmediatePropagation()
      navigate(href)
    }
    document.addEventListener('click', onClick, true)
    return () => document.removeEventListener('click', onClick, true)
  }, [navigate])
  useEffect(guardUnload, [])
  return asked && <LeaveQuestion {...asked} />
}

/** Listens only while there is something to lose: pages that listen are not kept for Back. */
function guardUnload(): () => void {
  const refuse = (event: BeforeUnloadEvent) => {
    if (losesOnUnload()) event.preventDefault()
  }
  const update = () => {
    window.removeEventListener('beforeunload', refuse)
    if (!losesOnUnload()) return
    window.addEventListener('beforeunload', refuse)
    void loadQuestion() // it may be needed when the server can't be reached
  }
  update()
  const stop = onUnsaved(update)
  return () => {
    stop()
    window.removeEventListener('beforeunload', refuse)
  }
}

/**
 * The address, from its path on, that a click leads to within the console; null for clicks that
 * leave the page as it is: on no link, with a modifier, to a file, a new tab or a part of the page.
 * Links to other sites load a new document, about which the browser asks itself.
 */
export function followedLink(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const link = (event.target as Element | null)?.closest<HTMLAnchorElement>('a[href]')
  if (!link || link.hasAttribute('download')) return null
  if (link.target && link.target !== '_self') return null
  const to = new URL(link.href)
  const here = window.location
  if (to.origin !== here.origin || to.pathname.startsWith('/api/')) return null
  if (to.hash && to.pathname === here.pathname && to.search === here.search) return null
  return to.pathname + to.search + to.hash
}

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
