'use client'
import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'
import { countColumns, nextIndex } from '@/components/images/grid-moves'
import type { DisplayProps } from './display-props'

type Options = Pick<DisplayProps, 'selection' | 'onOpen' | 'onEdit'>

/**
 * A list box of records with one Tab stop: arrows move, with Shift they select, Space and `x` select one, Enter and
 * `o` open, `e` edits, Esc clears. A click opens; with Shift it selects a range, with Ctrl or ⌘ one more.
 */
export function useListBox(ids: readonly string[], { selection, onOpen, onEdit }: Options) {
  const [current, setCurrent] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  const tabbable = Math.min(current, ids.length - 1)
  const focus = (index: number) => {
    setCurrent(index)
    optionsOf(box.current)[index]?.focus()
  }
  function onKeyDown(event: KeyboardEvent) {
    const { key, shiftKey, altKey } = event
    const id = ids[tabbable]
    if (id === undefined || altKey) return
    const next = nextIndex(key, tabbable, countColumns(optionsOf(box.current)), ids.length)
    const withControl = event.ctrlKey || event.metaKey
    if (next !== null) {
      if (shiftKey) selection.extend(ids[next] ?? id, id)
      focus(next)
    } else if (key === 'a' && withControl) selection.replace(new Set([...selection.ids, ...ids]))
    else if (withControl) return
    else if (key === 'Enter' || key === 'o') onOpen(id)
    else if (key === 'e' && onEdit) onEdit(id)
    else if (key === ' ' || key === 'x') shiftKey ? selection.extend(id) : selection.toggle(id)
    else if (key === 'Escape' && selection.ids.size > 0) selection.clear()
    else return
    event.preventDefault()
  }
  function onClick(event: MouseEvent, index: number) {
    const id = ids[index] as string
    if (event.shiftKey) selection.extend(id, ids[tabbable])
    else if (event.ctrlKey || event.metaKey || isMark(event.target)) selection.toggle(id)
    else onOpen(id)
    focus(index)
  }
  return { box, tabbable, setCurrent, onKeyDown, onClick }
}

const optionsOf = (box: HTMLElement | null) => [...(box?.children ?? [])] as HTMLElement[]
const isMark = (target: EventTarget) => (target as HTMLElement).closest('[data-mark]') !== null
