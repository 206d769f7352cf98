import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import type { EntityRecord } from '../types'

/** A cell that was asked to be edited; another number for each time. */
export type EditedCell = { td: HTMLElement; nth: number }

type Options = { mayUpdate: boolean; onOpen: (record: EntityRecord) => void }

/** A second click within this time edits the cell instead of opening the record. */
const DOUBLE_CLICK_MS = 250
const CONTROLS = 'a,button,input,label'

/** Which cell is edited: by a double click, F2, or Enter while the cell itself has the focus. */
export function useCellEditing({ mayUpdate, onOpen }: Options) {
  const [cell, setCell] = useState<EditedCell | null>(null)
  const [count, setCount] = useState(0)
  const opening = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(opening.current), [])
  const edit = (td: HTMLElement | null) => {
    setCell(td && { td, nth: count })
    setCount(count + 1)
  }
  return {
    cell,
    edit,
    /** The code for it is needed. */
    isUsed: count > 0,
    /** `clicks`: none with the keyboard. */
    open: (record: EntityRecord, clicks = 0) => {
      clearTimeout(opening.current)
      if (clicks === 0 || !mayUpdate) onOpen(record)
      else if (clicks === 1) opening.current = setTimeout(() => onOpen(record), DOUBLE_CLICK_MS)
    },
    onDoubleClick: ({ target }: MouseEvent) => {
      clearTimeout(opening.current)
      const td = cellOf(target)
      if (!td || !mayUpdate || (target as HTMLElement).closest(CONTROLS)) return
      window.getSelection()?.removeAllRanges()
      edit(td)
    },
    onKeyDownCapture: (event: KeyboardEvent) => {
      const { key, target } = event
      const td = cellOf(target)
      const isAsked = key === 'F2' || (key === 'Enter' && target === td && mayUpdate)
      if (!td || !isAsked) return
      event.preventDefault()
      event.stopPropagation()
      edit(td)
    },
  }
}

const cellOf = (target: EventTarget) =>
  (target as HTMLElement).closest<HTMLElement>('tbody td[data-field]')
