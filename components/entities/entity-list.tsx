import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { PluginLink } from '@/components/plugins/plugin-link'
import { Card } from '@/components/ui/card'
import { Link } from '@/components/ui/link'
import { ListFilter } from '@/components/ui/list-filter'
import { formatCount } from '@/components/ui/number'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/state'
import { Badge } from '@/components/ui/status'
import { Table, Td, Th } from '@/components/ui/table'
import type { EntitySummary } from '@/lib/registry/summary-contract'
import { entitiesOptions } from './entity-queries'
import { NoEntities } from './no-entities'

/** Every entity that the user can read, with its records and its plugin. */
export function EntityList() {
  const [text, setText] = useState('')
  const term = useDeferredValue(text.trim().toLowerCase())
  const entities = useQuery(entitiesOptions)
  if (entities.isPending) return <Loading />
  if (entities.error) {
    return (
      <Card>
        <ErrorState of={entities} />
      </Card>
    )
  }
  const all = entities.data.data
  if (all.length === 0)
    return (
      <Card>
        <NoEntities takesFiles />
      </Card>
    )
  const found = all
    .filter((entity) => matches(entity, term))
    .sort((a, b) => NATURAL.compare(a.name, b.name))
  return (
    <>
      <ListFilter label="Search entities" text={text} onText={setText} />
      <Card flush>
        <Table aria-label="Entities" className="[&_tr:last-child>td]:border-b-0">
          <thead>
            <tr>
              <Th>Entity</Th>
              <Th className="text-right">Records</Th>
              <Th className="hidden text-right sm:table-cell">Fields</Th>
              <Th className="hidden md:table-cell">Plugin</Th>
            </tr>
          </thead>
          <tbody>
            {found.map((entity) => (
              <EntityRow key={entity.name} entity={entity} />
            ))}
          </tbody>
        </Table>
        {found.length === 0 && <EmptyState title={`No entity is called like “${text}”`} />}
      </Card>
    </>
  )
}

function EntityRow({ entity }: { entity: EntitySummary }) {
  const { name, label, description, records, fields, pluginId } = entity
  const href = `/entities/${encodeURIComponent(name)}`
  return (
    <tr className="hover:bg-accent/50">
      <Td className="w-full max-w-0 truncate">
        <Link href={href} className="rounded font-medium hover:underline">
          <bdi>{label ?? name}</bdi>
        </Link>
        {label && label !== name && (
          <span className="ml-2 text-xs text-muted-foreground">{name}</span>
        )}
        {description && <p className="truncate text-xs text-muted-foreground">{description}</p>}
      </Td>
      <Td className="text-right">
        {records && (
          <Link href={href} className="rounded hover:underline">
            {records.isEstimate && 'about '}
            {formatCount(records.value)}
          </Link>
        )}
      </Td>
      <Td className="hidden text-right sm:table-cell">
        <Link href={`${href}/definition`} className="rounded hover:underline">
          {fields.length}
        </Link>
      </Td>
      <Td className="hidden max-w-64 truncate md:table-cell">
        {pluginId ? (
          <PluginLink id={pluginId} className="rounded text-muted-foreground" />
        ) : (
          <Badge>none</Badge>
        )}
      </Td>
    </tr>
  )
}

// `Part2` before `Part10`.
const NATURAL = new Intl.Collator('en', { numeric: true })

const matches = ({ name, label, description, pluginId, pluginName }: EntitySummary, term: string) =>
  [name, label, description, pluginId, pluginName].some((text) =>
    text?.toLowerCase().includes(term),
  )

const Loading = () => (
  <Card flush>
    {['a', 'b', 'c', 'd'].map((key) => (
      <div key={key} className="flex h-13 items-center border-b px-4 last:border-b-0">
        <Skeleton className="w-48" />
      </div>
    ))}
  </Card>
)
