import { ChevronRightIcon, FolderIcon } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { formatCount } from '@/components/ui/number'
import type { FolderRow } from './folder-tree'

type Props = {
  rows: readonly FolderRow[]
  chosen: string | null
  isOpen: (path: string) => boolean
  onOpen: (path: string, open: boolean) => void
  onChoose: (path: string) => void
}

/**
 * A tree by the pattern of WAI-ARIA: up and down move, right opens or goes into, left closes or goes to the parent, Enter
 * chooses.
 */
export function FolderTreeRows({ rows, chosen, isOpen, onOpen, onChoose }: Props) {
  const tree = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(chosen)
  const known = rows.findIndex(({ folder }) => folder.path === current)
  const at = Math.max(0, known)
  const focus = (index: number) =>
    tree.current?.querySelectorAll<HTMLElement>('[role=treeitem]')[index]?.focus()

  function onKeyDown(event: KeyboardEvent) {
    const row = rows[at]
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return
    const { path, below } = row.folder
    const hasMore = below.length > 0
    const acts: Record<string, () => void> = {
      ArrowDown: () => focus(Math.min(at + 1, rows.length - 1)),
      ArrowUp: () => focus(Math.max(at - 1, 0)),
      Home: () => focus(0),
      End: () => focus(rows.length - 1),
      ArrowRight: () => hasMore && (isOpen(path) ? focus(at + 1) : onOpen(path, true)),
      ArrowLeft: () =>
        hasMore && isOpen(path)
          ? onOpen(path, false)
          : focus(rows.findIndex(({ folder }) => folder.path === row.parent)),
      Enter: () => onChoose(path),
      ' ': () => onChoose(path),
    }
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }

  return (
    <div
      ref={tree}
      role="tree"
      aria-label="Folders"
      className="max-h-72 overflow-y-auto"
      onKeyDown={onKeyDown}
    >
      {rows.map((row, index) => (
        <Row
          key={row.folder.path}
          row={row}
          open={isOpen(row.folder.path)}
          chosen={row.folder.path === chosen}
          tabbable={index === at}
          onFocus={() => setCurrent(row.folder.path)}
          onToggle={() => onOpen(row.folder.path, !isOpen(row.folder.path))}
          onChoose={() => onChoose(row.folder.path)}
        />
      ))}
    </div>
  )
}

type RowProps = {
  row: FolderRow
  open: boolean
  chosen: boolean
  tabbable: boolean
  onFocus: () => void
  onToggle: () => void
  onChoose: () => void
}

function Row({ row, open, chosen, tabbable, onFocus, onToggle, onChoose }: RowProps) {
  const { folder, level, place, siblings } = row
  const hasMore = folder.below.length > 0
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys of all its items
    <div
      role="treeitem"
      aria-level={level}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-expanded={hasMore ? open : undefined}
      aria-selected={chosen}
      aria-label={`${folder.name}, ${formatCount(folder.count)}`}
      tabIndex={tabbable ? 0 : -1}
      title={folder.path}
      onFocus={onFocus}
      onClick={onChoose}
      style={{ paddingInlineStart: `${(level - 1) * INDENT_REM + 0.25}rem` }}
      className={cn(
        'flex min-h-7 cursor-default focus-visible:-outline-offset-2 items-center gap-1.5 rounded-md pr-2 text-[13px] select-none hover:bg-accent pointer-coarse:min-h-9',
        chosen && 'bg-primary-soft font-medium hover:bg-primary-soft',
      )}
    >
      <span
        aria-hidden
        className="grid size-6 shrink-0 place-items-center rounded text-muted-foreground"
        onClick={(event) => {
          if (!hasMore) return
          event.stopPropagation()
          onToggle()
        }}
      >
        {hasMore && (
          <ChevronRightIcon className={cn('size-3.5 transition-transform', open && 'rotate-90')} />
        )}
      </span>
      <FolderIcon aria-hidden className="size-3.5 shrink-0 text-muted-foreground" />
      <span className="truncate">{folder.name}</span>
      <span className="tabular ml-auto pl-2 text-xs font-normal text-muted-foreground">
        {formatCount(folder.count)}
      </span>
    </div>
  )
}

const INDENT_REM = 1
