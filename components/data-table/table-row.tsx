import { type KeyboardEvent, type MouseEvent, memo, type ReactNode } from 'react'
import { Checkbox } from '@/components/ui/checkbox'
import { cn } from '@/components/ui/cn'
import { Link } from '@/components/ui/link'
import type { Column } from './column'
import type { Density } from './use-table-layout'

type Props = {
  id: string
  name: string
  row: unknown
  index: number
  columns: Column<unknown>[]
  density: Density
  tabbable: boolean
  selected: boolean
  /** Its panel is open. */
  isOpen: boolean
  /** It was deleted meanwhile. */
  isDeleted: boolean
  onToggle?: (id: string) => void
  /** Selects the range to this row. */
  onExtend?: (id: string) => void
  onOpen?: (row: unknown, clicks?: number) => void
  onEdit?: (row: unknown) => void
  href?: (row: unknown) => string
  onFocus: (index: number) => void
  actions?: (row: unknown) => ReactNode
}

/**
 * Opens with a click, Enter or `o`, is edited with `e`, selected with Space or `x`; Shift makes a range. Rendered again only when
 * a prop changes: columns, handlers and actions have to stay the same from render to render.
 */
export const TableRow = memo(function TableRow(props: Props) {
  const { id, name, row, index, columns, density, selected, onToggle, onOpen, actions } = props
  const select = (range: boolean) => (range && props.onExtend ? props.onExtend(id) : onToggle?.(id))
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target, currentTarget } = event
    // Menus of a row are elsewhere in the page.
    if (!currentTarget.contains(target as Node)) return
    // A control in a cell has its own meaning of Enter and Space.
    const isOwn = target === currentTarget || (target as HTMLElement).tagName === 'TD'
    const has = (letters: string, own: string) =>
      isLetter(event) ? letters.includes(key) : isOwn && key === own
    if (has('o', 'Enter') && onOpen) onOpen(row)
    else if (has('x', ' ') && onToggle) select(event.shiftKey)
    else if (has('e', '') && props.onEdit) props.onEdit(row)
    else return
    event.preventDefault()
  }
  const onClick = (event: MouseEvent) => {
    const isRange = event.shiftKey && onToggle
    // A press with Shift does not move the focus by itself: it would select letters.
    if (isRange) (event.currentTarget as HTMLElement).focus()
    if (isControl(event.target) || hasSelectedText()) return
    if (isRange) select(true)
    else onOpen?.(row, event.detail)
  }
  return (
    <tr
      tabIndex={props.tabbable ? 0 : -1}
      aria-current={props.isOpen || undefined}
      aria-description={props.isDeleted ? 'deleted' : undefined}
      onFocus={() => props.onFocus(index)}
      onKeyDown={onKeyDown}
      onClick={onClick}
      // Shift makes a range of rows here, not of letters.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      className={cn(
        'group/row bg-(--row) focus-visible:-outline-offset-2',
        density === 'compact' ? 'h-7' : 'h-9',
        tintOf(selected, props.isOpen),
        onOpen && 'cursor-pointer',
        props.isDeleted && 'text-muted-foreground line-through',
      )}
    >
      {onToggle && (
        <td className="border-b px-3">
          <Checkbox
            aria-label={`Select ${name}`}
            checked={selected}
            onCheckedChange={(_, { withShift }) => select(withShift)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.id}
          tabIndex={-1}
          data-field={column.id}
          className={cn(
            'truncate border-b px-3 focus-visible:-outline-offset-2',
            column.align === 'end' && 'text-right',
            column.sticky && cn('sticky left-0 z-[1] shadow-[inset_-1px_0_var(--border)]', OPAQUE),
          )}
        >
          {column.opens ? <Opener {...props}>{column.cell(row)}</Opener> : column.cell(row)}
        </td>
      ))}
      {actions && (
        <td className={cn('sticky right-0 border-b px-2 text-right', OPAQUE)}>{actions(row)}</td>
      )}
    </tr>
  )
})

/** Of a cell below which others scroll: the tint of the row on what hides them. */
const OPAQUE = 'bg-card bg-[image:linear-gradient(var(--row),var(--row))]'

const tintOf = (selected: boolean, isOpen: boolean) => {
  if (selected) return '[--row:--alpha(var(--primary-soft)/60%)]'
  return isOpen ? '[--row:var(--accent)]' : 'hover:[--row:--alpha(var(--accent)/50%)]'
}

type OpenerProps = Pick<Props, 'row' | 'href' | 'onOpen'> & { children: ReactNode }

/** Names a row and opens it: a link when the row has a page of its own. */
function Opener({ row, href, onOpen, children }: OpenerProps) {
  if (href) {
    return (
      <Link href={href(row)} className="font-medium hover:underline">
        {children}
      </Link>
    )
  }
  return (
    <button
      type="button"
      className="max-w-full truncate font-medium hover:underline"
      onClick={() => onOpen?.(row)}
    >
      {children}
    </button>
  )
}

const isLetter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey

const isControl = (target: EventTarget) =>
  (target as HTMLElement).closest('a,button,input,label,[role="checkbox"],[role="menuitem"]') !==
  null

// Dragging over a value selects it to be copied, and must not open the row.
const hasSelectedText = () => (window.getSelection()?.toString() ?? '') !== ''

const SKELETON_ROWS = 12

/** Rows to come, at their height. */
export function SkeletonRows({ columns, density }: { columns: number; density: string }) {
  return Array.from({ length: SKELETON_ROWS }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
    <tr key={row} aria-hidden data-skeleton className={density === 'compact' ? 'h-7' : 'h-9'}>
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <td key={column} className="border-b px-3">
          <span
            className="block h-3 rounded bg-muted motion-safe:animate-pulse"
            style={{ width: `${45 + ((row * 7 + column * 13) % 45)}%` }}
          />
        </td>
      ))}
    </tr>
  ))
}
