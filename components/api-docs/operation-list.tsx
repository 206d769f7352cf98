import { ChevronRightIcon, SearchIcon } from 'lucide-react'
import { useState } from 'react'
import { cn, controlClass } from '@/components/ui/cn'
import { useScrolledTo } from '@/components/ui/use-scrolled-to'
import { MethodName } from './method-name'
import { filterGroups, type Operation, type OperationGroup } from './operations'

type Props = { groups: readonly OperationGroup[]; activeId: string }

/** Every operation by its tag, and a search through them. */
export function OperationList({ groups, activeId }: Props) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Record<string, boolean>>({})
  const found = filterGroups(groups, text)
  const isOpen = ({ tag, operations }: OperationGroup) =>
    text.trim() !== '' ||
    (chosen[tag] ?? (tag === groups[0]?.tag || operations.some(({ id }) => id === activeId)))
  return (
    <nav aria-label="Operations" className="flex h-full min-w-0 flex-col gap-2">
      <FilterBox text={text} onText={setText} count={countOf(found)} total={countOf(groups)} />
      <div className="min-h-0 flex-1 lg:overflow-y-auto lg:pr-2 lg:pb-4">
        <a
          href="#start"
          aria-current={activeId === 'start' ? 'page' : undefined}
          className={entryClass(activeId === 'start')}
        >
          Getting started
        </a>
        {found.map((group) => (
          <Group
            key={group.tag}
            group={group}
            open={isOpen(group)}
            activeId={activeId}
            onToggle={(open) => setChosen((before) => ({ ...before, [group.tag]: open }))}
          />
        ))}
        {found.length === 0 && (
          <p className="px-2 py-6 text-center text-[13px] text-muted-foreground">
            Nothing matches “{text}”
          </p>
        )}
      </div>
    </nav>
  )
}

const countOf = (groups: readonly OperationGroup[]) =>
  groups.reduce((sum, { operations }) => sum + operations.length, 0)

type FilterProps = { text: string; onText: (text: string) => void; count: number; total: number }

function FilterBox({ text, onText, count, total }: FilterProps) {
  return (
    <div className="grid gap-1 lg:pr-2">
      <div className="relative">
        <SearchIcon
          aria-hidden
          className="absolute top-1/2 left-2 size-3.5 -translate-y-1/2 text-muted-foreground"
        />
        <input
          type="search"
          data-page-search
          aria-label="Find an operation"
          placeholder="Find an operation"
          value={text}
          className={cn(controlClass, 'h-8 pl-7 text-[13px]')}
          onChange={(event) => onText(event.target.value)}
        />
      </div>
      <p role="status" className="tabular px-2 text-xs text-muted-foreground">
        {count === total ? `${total} operations` : `${count} of ${total} operations`}
      </p>
    </div>
  )
}

type GroupProps = {
  group: OperationGroup
  open: boolean
  activeId: string
  onToggle: (open: boolean) => void
}

function Group({ group: { tag, description, operations }, open, activeId, onToggle }: GroupProps) {
  return (
    <section className="mt-1">
      <h2>
        <button
          type="button"
          aria-expanded={open}
          title={description}
          onClick={() => onToggle(!open)}
          className="flex h-8 w-full items-center gap-1.5 rounded-md px-2 text-left text-[13px] font-medium hover:bg-accent focus-visible:-outline-offset-2"
        >
          <ChevronRightIcon
            aria-hidden
            className={cn('size-3.5 shrink-0 transition-transform', open && 'rotate-90')}
          />
          <span className="min-w-0 flex-1 truncate">{tag}</span>
          <span className="tabular text-xs font-normal text-muted-foreground">
            {operations.length}
          </span>
        </button>
      </h2>
      {open && (
        <ul aria-label={tag} className="grid grid-cols-1 gap-px">
          {operations.map((operation) => (
            <Entry key={operation.id} operation={operation} active={operation.id === activeId} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Entry({ operation, active }: { operation: Operation; active: boolean }) {
  const { id, method, path, summary, deprecated } = operation
  const link = useScrolledTo<HTMLAnchorElement>(active)
  return (
    <li>
      <a
        ref={link}
        href={`#${encodeURIComponent(id)}`}
        title={path}
        aria-current={active ? 'page' : undefined}
        className={entryClass(active, 'pl-7')}
      >
        <MethodName method={method} className="w-12 shrink-0" />
        <span className={cn('min-w-0 truncate', deprecated && 'line-through')}>{summary}</span>
      </a>
    </li>
  )
}

const entryClass = (active: boolean, className?: string) =>
  cn(
    'flex min-h-7 items-center rounded-md px-2 text-[13px] text-muted-foreground hover:bg-accent hover:text-foreground focus-visible:-outline-offset-2 max-lg:min-h-9',
    active && 'bg-accent font-medium text-foreground',
    className,
  )
