'use client'
import { useQuery } from '@tanstack/react-query'
import type { ListState } from '@/components/data-table/use-list-state'
import { Button } from '@/components/ui/button'
import { formatCount } from '@/components/ui/number'
import { countOptions } from './image-queries'
import { imagesQuery, showsWithoutAlt, withoutAlt } from './images-search'

/** Narrows the list to images without alternative text; says how many of the shown ones these are. */
export function AltFilter({ list }: { list: ListState }) {
  const on = showsWithoutAlt(list.filter)
  const query = imagesQuery({ q: list.q, filter: withoutAlt(list.filter, true) })
  const count = useQuery(countOptions(query)).data ?? null
  return (
    <Button
      size="sm"
      aria-pressed={on}
      className="aria-pressed:border-primary aria-pressed:bg-primary-soft"
      onClick={() => list.setFilter(withoutAlt(list.filter, !on))}
    >
      Without alternative text
      {count !== null && (
        <span className="tabular text-xs text-muted-foreground">{formatCount(count)}</span>
      )}
    </Button>
  )
}
