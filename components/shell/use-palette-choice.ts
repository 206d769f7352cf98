import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Result } from './palette-results'

/** How long Enter waits for the answer to what was typed, in ms; then it takes the best there is. */
const ENTER_MS = 5_000
const MOVES = ['ArrowDown', 'ArrowUp', 'Home', 'End']

type Options = { results: Result[]; isAnswered: boolean; startsEntered: boolean }

/**
 * Selects the best result, `results[0]`, until an arrow is used; Enter opens it once what was typed is
 * answered. `forget` is called when other letters are typed.
 */
export function usePaletteChoice({ results, isAnswered, startsEntered }: Options) {
  const hasMoved = useRef(false)
  const [moved, setMovedTo] = useState<string | null>(null)
  const [isEntered, setEntered] = useState(startsEntered)
  const best = results[0]
  const chosen = results.find(({ id }) => id === moved) ?? best
  const open = useEffectEvent(() => {
    setEntered(false)
    best?.onSelect()
  })
  useEffect(() => {
    if (!isEntered) return
    const timer = setTimeout(() => open(), isAnswered ? 0 : ENTER_MS)
    return () => clearTimeout(timer)
  }, [isEntered, isAnswered])
  const onKeyDown = (event: KeyboardEvent) => {
    if (MOVES.includes(event.key)) hasMoved.current = true
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || moved !== null) return
    event.preventDefault()
    setEntered(true)
  }
  const forget = () => {
    hasMoved.current = false
    setMovedTo(null)
    setEntered(false)
  }
  return {
    isWaiting: isEntered,
    forget,
    props: {
      value: chosen?.id ?? '',
      onValueChange: (id: string) => hasMoved.current && setMovedTo(id),
      onKeyDown,
    },
  }
}
