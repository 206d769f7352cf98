import { type RefObject, useEffect, useRef } from 'react'

/** For an entry of a list that scrolls: brings it into sight when it becomes the active one. */
export function useScrolledTo<T extends Element>(active: boolean): RefObject<T | null> {
  const entry = useRef<T>(null)
  useEffect(() => {
    if (active && entry.current) showIn(scrollerOf(entry.current), entry.current)
  }, [active])
  return entry
}

/** By hand: `scrollIntoView` would let the next Tab begin at the entry instead of the page’s start. */
function showIn(scroller: Element | null, entry: Element): void {
  if (!scroller) return
  const { top, bottom } = entry.getBoundingClientRect()
  const frame = scroller.getBoundingClientRect()
  if (top < frame.top) scroller.scrollTop -= frame.top - top
  else if (bottom > frame.bottom) scroller.scrollTop += bottom - frame.bottom
}

function scrollerOf(entry: Element): Element | null {
  for (let box = entry.parentElement; box; box = box.parentElement)
    if (/auto|scroll/.test(getComputedStyle(box).overflowY)) return box
  return null
}
