import { CheckIcon } from 'lucide-react'
import {
  Fragment,
  type HTMLAttributes,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react'
import { cn } from '@/components/ui/cn'
import type { RowSelection } from './use-row-selection'

type Actions = {
  selection: RowSelection
  onOpen: (id: string) => void
  onEdit?: (id: string) => void
  /** Of what is selected. */
  onDelete?: () => void
}

export type ListOption = HTMLAttributes<HTMLElement> & { 'aria-selected': boolean }

type Props = Actions & {
  ids: readonly string[]
  label: string
  /** The keys, for screen readers. */
  hint?: string
  className: string
  /** An element of the role `option` with these attributes, which shows the item with this index. */
  children: (option: ListOption, index: number) => ReactNode
}

/**
 * Items as a list box with one Tab stop: arrows move, with Shift they select, Space and `x` select one, Enter and `o`
 * open, `e` edits, Delete deletes, Esc clears. A click opens; with Shift it selects a range, with Ctrl or ⌘ one more.
 */
export function ListBox({ ids, label, hint, className, children, ...actions }: Props) {
  const { selection, onOpen } = actions
  const [current, setCurrent] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  const hintId = useId()
  const tabbable = Math.min(current, ids.length - 1)
  const focus = (index: number) => {
    setCurrent(index)
    optionsOf(box.current)[index]?.focus()
  }
  function onKeyDown(event: KeyboardEvent) {
    const id = ids[tabbable]
    if (id === undefined || event.altKey) return
    const next = nextIndex(event.key, tabbable, countColumns(optionsOf(box.current)), ids.length)
    if (next !== null) {
      if (event.shiftKey) selection.extend(ids[next] ?? id, id)
      focus(next)
    } else if (!act(event, id, ids, actions)) return
    event.preventDefault()
  }
  function onClick(event: MouseEvent, index: number) {
    const id = ids[index] as string
    if (event.shiftKey) selection.extend(id, ids[tabbable])
    else if (event.ctrlKey || event.metaKey || isMark(event.target)) selection.toggle(id)
    else onOpen(id)
    // A press with Shift does not move the focus by itself: it would select letters.
    focus(index)
  }
  return (
    <>
      {hint && (
        <p id={hintId} className="sr-only">
          {hint}
        </p>
      )}
      <div
        ref={box}
        role="listbox"
        aria-multiselectable
        aria-label={label}
        aria-describedby={hint && hintId}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className={cn(className, 'outline-none')}
      >
        {ids.map((id, index) => (
          <Fragment key={id}>
            {children(
              {
                'aria-selected': selection.has(id),
                tabIndex: index === tabbable ? 0 : -1,
                onFocus: () => setCurrent(index),
                onClick: (event) => onClick(event, index),
                onMouseDown: (event) => event.shiftKey && event.preventDefault(),
              },
              index,
            )}
          </Fragment>
        ))}
      </div>
    </>
  )
}

/** Does what a key other than those of movement means; false where it means nothing. */
function act(event: KeyboardEvent, id: string, ids: readonly string[], actions: Actions): boolean {
  const { selection, onOpen, onEdit, onDelete } = actions
  const { key } = event
  const isSelecting = selection.ids.size > 0
  const withControl = event.ctrlKey || event.metaKey
  if (key === 'a' && withControl) selection.replace(new Set([...selection.ids, ...ids]))
  else if (withControl) return false
  else if (key === 'Enter' || key === 'o') onOpen(id)
  else if (key === 'e' && onEdit) onEdit(id)
  else if (key === ' ' || key === 'x') event.shiftKey ? selection.extend(id) : selection.toggle(id)
  else if (key === 'Escape' && isSelecting) selection.clear()
  else if (key === 'Delete' && onDelete && isSelecting) onDelete()
  else return false
  return true
}

const optionsOf = (box: HTMLElement | null) => [...(box?.children ?? [])] as HTMLElement[]
const isMark = (target: EventTarget) => (target as HTMLElement).closest('[data-mark]') !== null

// A finger needs it at once; a mouse when it is near.
/** The box at the corner of an option (`group/option`) by which it is selected. */
export const SelectionMark = ({ selected, shown }: { selected: boolean; shown: boolean }) => (
  <span
    aria-hidden
    data-mark
    className={cn(
      'absolute top-1.5 left-1.5 grid size-8 place-items-center transition-opacity',
      !shown &&
        'opacity-0 group-hover/option:opacity-100 group-focus/option:opacity-100 pointer-coarse:opacity-100',
    )}
  >
    <span
      className={cn(
        'grid size-4 place-items-center rounded border border-input bg-card',
        selected && 'border-primary bg-primary text-primary-foreground',
      )}
    >
      {selected && <CheckIcon className="size-3" strokeWidth={3} />}
    </span>
  </span>
)

/** Where a key leads from `index` in a grid of `columns`; null when it is no key of movement. */
export function nextIndex(
  key: string,
  index: number,
  columns: number,
  count: number,
): number | null {
  const last = count - 1
  const steps: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    // From the last row but one into a short last row: to its end, not nowhere.
    ArrowDown: rowOf(index, columns) < rowOf(last, columns) ? index + columns : index,
    ArrowUp: index - columns < 0 ? index : index - columns,
    Home: 0,
    End: last,
    PageDown: index + columns * PAGE_ROWS,
    PageUp: index - columns * PAGE_ROWS,
  }
  const next = steps[key]
  return next === undefined ? null : Math.min(Math.max(0, next), last)
}

const PAGE_ROWS = 3
const rowOf = (index: number, columns: number) => Math.floor(index / columns)

/** How many children stand in the first row. */
function countColumns(children: readonly HTMLElement[]): number {
  const top = children[0]?.offsetTop
  const columns = children.findIndex(({ offsetTop }) => offsetTop !== top)
  return columns < 0 ? Math.max(1, children.length) : columns
}
