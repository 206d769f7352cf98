'use client'
import { PinIcon, PinOffIcon } from 'lucide-react'
import { usePathname } from 'next/navigation'
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
        onClick={onNavigate}
        title={name}
        aria-label={records ? `${text}, ${recordsText(records)}` : text}
        aria-current={isOpen ? 'page' : undefined}
        className={cn(
          'flex h-7 items-center gap-2 rounded-md px-2 text-[13px] text-muted-foreground transition-colors hover:bg-accent hover:text-foreground focus-visible:-outline-offset-2',
          isOpen && 'bg-accent font-medium text-foreground',
        )}
      >
        <span className="truncate">{text}</span>
        {records && (
          <span className="ml-auto text-xs font-normal tabular-nums group-focus-within/entity:invisible group-hover/entity:invisible pointer-coarse:mr-7 pointer-coarse:visible!">
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
