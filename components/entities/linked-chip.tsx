import { useQuery } from '@tanstack/react-query'
import { XIcon } from 'lucide-react'
import { Link } from '@/components/ui/link'
import { formatCount } from '@/components/ui/number'
import type { LinkedEntity } from '@/lib/tables/column-contract'
import { plainText } from '@/lib/values/exact-json'
import { columnsOptions } from './entity-queries'
import { nameOf } from './record-title'
import { recordsHref, referringFieldsOf, referringTo } from './referring'
import type { ColumnDescription, EntityRecord } from './types'
import { usePanel } from './use-panel'

export const keysOf = (columns: readonly ColumnDescription[]) =>
  columns.filter(({ key }) => key).map(({ name }) => name)

type ChipProps = {
  link: LinkedEntity
  record: EntityRecord
  columns: readonly ColumnDescription[]
  onRemove: (() => void) | undefined
  isBusy: boolean
}

/** A linked record by its title. */
export function LinkedChip({ link: { entity }, record, columns, onRemove, isBusy }: ChipProps) {
  const panel = usePanel()
  const values = Object.fromEntries(
    keysOf(columns).map((name) => [name, plainText(record[name] ?? null)]),
  )
  const title = nameOf(record, columns) ?? Object.values(values).join(', ')
  return (
    <li className="flex h-6 max-w-full items-center rounded bg-accent text-[13px]">
      <button
        type="button"
        className="min-w-0 truncate rounded px-1.5 text-primary underline-offset-2 hover:underline"
        onClick={() => panel.peek({ entity, values })}
      >
        <bdi>{title}</bdi>
      </button>
      {onRemove && (
        <button
          type="button"
          aria-label={`Remove ${title}`}
          aria-disabled={isBusy}
          className="grid size-6 shrink-0 place-items-center rounded text-muted-foreground hover:text-foreground"
          onClick={() => !isBusy && onRemove()}
        >
          <XIcon aria-hidden className="size-3" />
        </button>
      )}
    </li>
  )
}

type MoreProps = { entity: string; record: EntityRecord; link: LinkedEntity; count: number }

/** The way to the links that are not shown. */
export function MoreLinked({ entity, record, link, count }: MoreProps) {
  const referring = referringFieldsOf(useQuery(columnsOptions(entity)).data).find(
    (each) => each.entity === link.link && each.field === link.field,
  )
  const query = referring && referringTo(referring, record)
  if (count <= 0) return null
  const text = `and ${formatCount(count)} more`
  return (
    <li className="px-1.5 text-[13px]">
      {query ? (
        <Link
          href={recordsHref(link.link, query)}
          className="rounded text-primary underline-offset-2 hover:underline"
        >
          {text}
        </Link>
      ) : (
        text
      )}
    </li>
  )
}
