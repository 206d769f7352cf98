import { ChevronRightIcon, PinIcon, PinOffIcon } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { useId, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { Link } from '@/components/ui/link'
import { countOf, formatCount } from '@/components/ui/number'
import { useScrolledTo } from '@/components/ui/use-scrolled-to'
import type { Listed } from './group-entities'

type Props = {
  entity: Listed
  isPinned?: boolean
  onPin: (name: string) => void
  onNavigate?: () => void
}

/** An entity of the sidebar with the number of its records; it can be pinned. */
export function EntityLink({ entity, isPinned = false, onPin, onNavigate }: Props) {
  const { name, label, records } = entity
  const isOpen = useOpenEntity() === name
  const Icon = isPinned ? PinOffIcon : PinIcon
  const text = label ?? name
  return (
    <li ref={useScrolledTo(isOpen)} className="group/entity relative">
      <Link
        href={`/entities/${encodeURIComponent(name)}`}
        isWhole
        onClick={onNavigate}
        title={label ? `${label}: ${name}` : name}
        aria-label={records ? `${text}, ${recordsText(records)}` : text}
        aria-current={isOpen ? 'page' : undefined}
        className={cn(
          'flex h-7 items-center gap-2 rounded-md px-2 text-[13px] text-muted-foreground transition-colors hover:bg-accent hover:text-foreground focus-visible:-outline-offset-2',
          isOpen && 'bg-accent font-medium text-foreground',
        )}
      >
        <bdi className="truncate">{text}</bdi>
        {records && (
          <span className="ml-auto shrink-0 text-xs font-normal tabular-nums group-focus-within/entity:invisible group-hover/entity:invisible pointer-coarse:mr-7 pointer-coarse:visible!">
            {records.isEstimate && '~'}
            {formatCount(records.value)}
          </span>
        )}
      </Link>
      <button
        type="button"
        aria-label={`${isPinned ? 'Unpin' : 'Pin'} ${text}`}
        onClick={() => onPin(name)}
        className="absolute top-0 right-0.5 grid size-7 place-items-center rounded-md text-muted-foreground opacity-0 group-focus-within/entity:opacity-100 group-hover/entity:opacity-100 hover:text-foreground focus-visible:opacity-100 focus-visible:-outline-offset-2 pointer-coarse:opacity-100"
      >
        <Icon aria-hidden className="size-3.5" />
      </button>
    </li>
  )
}

const recordsText = ({ value, isEstimate }: NonNullable<Listed['records']>) =>
  `${isEstimate ? 'about ' : ''}${countOf(value, 'record')}`

const ENTITY_PAGE = /^\/entities\/([^/]+)/

/** The entity whose page is open. */
export function useOpenEntity(): string | null {
  const [, name] = ENTITY_PAGE.exec(usePathname()) ?? []
  return name === undefined ? null : decodeURIComponent(name)
}

type EntityGroupListProps = {
  title: string
  entities: readonly Listed[]
  /** The others come when asked for. */
  shownAtFirst: number
  isClosed: boolean
  onToggle: () => void
  onPin: (name: string) => void
  onNavigate?: () => void
}

/** The entities of one plugin, which can be folded away. */
export function EntityGroupList({
  title,
  entities,
  shownAtFirst,
  isClosed,
  ...props
}: EntityGroupListProps) {
  const [isWhole, setIsWhole] = useState(false)
  const id = useId()
  const open = useOpenEntity()
  // The one that is open is always in sight.
  const shown = entities.filter(
    ({ name }, at) => isWhole || (!isClosed && at < shownAtFirst) || name === open,
  )
  const more = entities.length - shown.length
  return (
    <section className="mb-3" aria-label={`Entities of ${title}`}>
      <h2>
        <button
          type="button"
          aria-expanded={!isClosed}
          aria-controls={id}
          onClick={() => {
            setIsWhole(false)
            props.onToggle()
          }}
          className="flex w-full items-center gap-1 rounded-md px-2 py-1 text-left text-xs text-muted-foreground hover:text-foreground"
        >
          <span className="truncate">{title}</span>
          <ChevronRightIcon
            aria-hidden
            className={cn('size-3 shrink-0 transition-transform', !isClosed && 'rotate-90')}
          />
        </button>
      </h2>
      <ul id={id} className="grid grid-cols-[minmax(0,1fr)] gap-px">
        {shown.map((entity) => (
          <EntityLink
            key={entity.name}
            entity={entity}
            onPin={props.onPin}
            onNavigate={props.onNavigate}
          />
        ))}
        {more > 0 && !isClosed && (
          <li>
            <button
              type="button"
              onClick={() => setIsWhole(true)}
              className="h-7 w-full rounded-md px-2 text-left text-xs text-muted-foreground hover:bg-accent hover:text-foreground"
            >
              {more} more<span className="sr-only"> entities of {title}</span>
            </button>
          </li>
        )}
      </ul>
    </section>
  )
}
