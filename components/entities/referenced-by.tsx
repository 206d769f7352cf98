import { useQueries, useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useId, useState } from 'react'
import { useCan } from '@/components/shell/viewer'
import { Button, buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { formatCount } from '@/components/ui/number'
import { isSystemEntity } from '@/lib/definitions/names'
import { columnsOptions, countOptions } from './entity-queries'
import {
  consequenceOf,
  creationHref,
  type ReferringField,
  recordsHref,
  referringFieldsOf,
  referringTo,
} from './referring'
import type { EntityRecord } from './types'

const RelatedRecords = dynamic(() => import('./related-records'), { ssr: false })

/** So many are counted when a record is opened; the others when they are asked for. */
const COUNTED_AT_FIRST = 5

/** How many records of each entity refer to this one, with the way to exactly these. */
export function ReferencedBy({ entity, record }: { entity: string; record: EntityRecord }) {
  const titleId = useId()
  const [all, setAll] = useState(false)
  const columns = useQuery(columnsOptions(entity))
  const referring = referringFieldsOf(columns.data)
  const shown = all ? referring : referring.slice(0, COUNTED_AT_FIRST)
  const counts = useQueries({
    queries: shown.map((each) => {
      const query = referringTo(each, record)
      return { ...countOptions(each.entity, query ?? []), enabled: query !== null }
    }),
  })
  if (referring.length === 0) return null
  return (
    <section aria-labelledby={titleId} className="mt-2 border-t pt-3">
      <h3 id={titleId} className="text-xs font-medium">
        Referenced by
      </h3>
      <ul className="mt-1 grid gap-0.5">
        {shown.map((each, index) => (
          <Referring
            key={`${each.entity} ${each.field}`}
            referring={each}
            record={record}
            count={counts[index]?.data ?? null}
            failed={counts[index]?.isError ?? false}
          />
        ))}
      </ul>
      {shown.length < referring.length && (
        <Button size="sm" variant="ghost" className="mt-1 -ml-2" onClick={() => setAll(true)}>
          Count {referring.length - shown.length} more
        </Button>
      )}
    </section>
  )
}

type Props = {
  referring: ReferringField
  record: EntityRecord
  /** Null while it is not known. */
  count: number | null
  failed: boolean
}

/** Two fields of an entity may refer to the same. */
const nameOf = ({ entity, field, label }: ReferringField) => `${entity} by ${label ?? field}`

function Referring({ referring, record, count, failed }: Props) {
  const { entity, field, label } = referring
  const query = referringTo(referring, record)
  const known = query === null ? 0 : count
  const [isOpen, setOpen] = useState(false)
  const tableId = useId()
  const mayAdd = useCan({ entity, action: 'write' }) && !isSystemEntity(entity)
  const text = failed ? '(not counted)' : known === null ? '(…)' : `(${formatCount(known)})`
  return (
    <li className="flex min-h-7 flex-wrap items-baseline gap-x-2 text-[13px]">
      {query === null || known === 0 ? (
        <span className="text-muted-foreground">
          {entity} {text}
        </span>
      ) : (
        <Link
          href={recordsHref(entity, query)}
          className="rounded text-primary underline-offset-2 hover:underline"
        >
          {entity} <span className="tabular">{text}</span>
        </Link>
      )}
      <span className="text-xs text-muted-foreground" title={field}>
        by {label ?? field}
        {known !== 0 && `, ${consequenceOf(referring)}`}
      </span>
      {query !== null && (
        <span className="ml-auto flex gap-1">
          {known !== 0 && (
            <Button
              size="sm"
              variant="ghost"
              aria-expanded={isOpen}
              aria-controls={tableId}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? 'Hide' : 'Show'}
              <span className="sr-only"> {nameOf(referring)}</span>
            </Button>
          )}
          {mayAdd && (
            <Link
              href={creationHref(entity, query)}
              className={buttonClass({ size: 'sm', variant: 'ghost' })}
            >
              Add
              <span className="sr-only"> to {nameOf(referring)}</span>
            </Link>
          )}
        </span>
      )}
      {query !== null && (
        <div id={tableId} className="w-full empty:hidden">
          {isOpen && known !== 0 && <RelatedRecords {...{ referring, query }} />}
        </div>
      )}
    </li>
  )
}
