'use client'
import { ChevronRightIcon } from 'lucide-react'
import { useId, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { EntityLink, useOpenEntity } from './entity-link'
import type { Listed } from './group-entities'

type Props = {
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
export function EntityGroupList({ title, entities, shownAtFirst, isClosed, ...props }: Props) {
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
      <ul id={id} className="grid gap-px">
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
