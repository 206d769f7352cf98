'use client'
import { useQuery } from '@tanstack/react-query'
import { entitiesOptions } from '@/components/entities/entity-queries'
import { useCan } from '@/components/shell/viewer'
import { Link } from '@/components/ui/link'
import { formatCount } from '@/components/ui/number'
import { Skeleton } from '@/components/ui/skeleton'
import { useSearch } from '@/lib/query/search'
import { IMAGES_COUNT, PLUGINS_COUNT, USERS_COUNT } from './dashboard-searches'

/** How much there is of everything; each number leads to what it counts. */
export function Figures() {
  const entities = useQuery(entitiesOptions)
  const list = entities.data?.data
  const records = list?.reduce((sum, each) => sum + (each.records?.value ?? 0), 0)
  const mayReadSystem = useCan('system:read')
  return (
    <dl className="grid grid-cols-2 gap-3 *:last:odd:col-span-2 md:grid-cols-5 md:*:last:odd:col-span-1">
      <Figure label="Records" href="/entities" value={records} />
      <Figure label="Entities" href="/entities" value={list?.length} />
      {mayReadSystem && (
        <>
          <SearchFigure
            label="Plugins"
            href="/plugins"
            entity="EnginePlugins"
            search={PLUGINS_COUNT}
          />
          <SearchFigure label="Users" href="/users" entity="EngineUsers" search={USERS_COUNT} />
          <SearchFigure label="Images" href="/images" entity="EngineFiles" search={IMAGES_COUNT} />
        </>
      )}
    </dl>
  )
}

type SearchFigureProps = Omit<FigureProps, 'value'> & { entity: string; search: typeof USERS_COUNT }

function SearchFigure({ entity, search, ...props }: SearchFigureProps) {
  const response = useSearch(entity, search)
  return <Figure {...props} value={response.data?.pagination?.total ?? undefined} />
}

type FigureProps = { label: string; href: string; value: number | undefined }

const Figure = ({ label, href, value }: FigureProps) => (
  <div className="relative rounded-lg border bg-card px-4 py-3 hover:bg-accent/40">
    <dt className="text-[13px] text-muted-foreground">
      <Link href={href} className="after:absolute after:inset-0">
        {label}
      </Link>
    </dt>
    <dd className="tabular mt-0.5 text-xl font-semibold">
      {value === undefined ? <Skeleton className="my-1 h-5 w-16" /> : formatCount(value)}
    </dd>
  </div>
)
