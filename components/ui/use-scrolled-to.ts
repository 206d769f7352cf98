'use client'
import { type RefObject, useEffect, useRef } from 'react'

/** For an entry of a list that scrolls: brings it into sight when it becomes the active one. */
export function useScrolledTo<T extends Element>(active: boolean): RefObject<T | null> {
  const entry = useRef<T>(null)
  useEffect(() => {
    if (active) entry.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return entry
}
