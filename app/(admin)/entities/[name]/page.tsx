import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Prefetched, prefetch, prefetchSearch } from '@/app/(admin)/prefetch'
import { GET as getColumns } from '@/app/api/entities/[entityName]/columns/route'
import { GET as getViews } from '@/app/api/views/route'
import { loadListParams } from '@/components/data-table/list-params'
import { displaySearch } from '@/components/entities/displays/display-search'
import { EntityBrowser } from '@/components/entities/entity-browser'
import { columnsKey, viewsKey } from '@/components/entities/entity-queries'
import {
  entitiesBeyond,
  fieldsBeyondKey,
  relatedColumns,
} from '@/components/entities/related-columns'
import { relationsOf } from '@/components/entities/relations'
import type { ColumnDescription } from '@/components/entities/types'
import { ClosedActions } from '@/components/shell/viewer'
import { ViewAs } from '@/components/view-as/view-as'
import { RECORD_ACTIONS } from '@/lib/auth/rights'
import { isSystemEntity } from '@/lib/definitions/names'
import type { Deps } from '@/lib/deps'
import type { ApiResponse } from '@/lib/http/client'
import { pageContext } from '@/lib/http/page'
import { findEntity } from '@/lib/registry/registry'

type Props = PageProps<'/entities/[name]'>

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: decodeURIComponent((await params).name) }
}

export default async function EntityPage({ params, searchParams }: Props) {
  const entity = decodeURIComponent((await params).name)
  const { as } = await searchParams
  if (typeof as === 'string') return <EntityViewedAs entity={entity} as={as} />
  const { deps } = await pageContext({ entity, action: 'read' })
  const columns = await prefetchColumns(entity)
  if (!columns) notFound()
  const { data } = columns.response as ApiResponse<ColumnDescription>
  const views = await prefetch(viewsKey(entity), getViews, {
    path: `/api/views?entity=${encodeURIComponent(entity)}`,
  })
  const { closed, label } = await shownOf(deps, entity)
  const listed = await loadListParams(searchParams)
  const beyond = await prefetchBeyond(entitiesBeyond(data, listed.cols))
  const relations = relationsOf(columns.response as ApiResponse<ColumnDescription>)
  const related = relatedColumns(data, relations, listed.cols, beyond.response)
  const search = displaySearch(data, listed, related)
  return (
    <Prefetched of={[columns, views, beyond, await prefetchSearch(entity, search)]}>
      <div className={LAYOUT}>
        <ClosedActions entity={entity} actions={closed}>
          <EntityBrowser entity={entity} label={label} system={isSystemEntity(entity)} />
        </ClosedActions>
      </div>
    </Prefetched>
  )
}

const prefetchColumns = (entity: string) =>
  prefetch(columnsKey(entity), getColumns, {
    path: `/api/entities/${encodeURIComponent(entity)}/columns`,
    params: { entityName: entity },
  })

/** The fields of related entities, of those that are not refused. */
async function prefetchBeyond(entities: readonly string[]) {
  const found = await Promise.all(entities.map(prefetchColumns))
  const readable = entities.filter((_, at) => found[at])
  const fields = found.flatMap((one) =>
    one ? [(one.response as ApiResponse<ColumnDescription>).data] : [],
  )
  const response = Object.fromEntries(readable.map((entity, at) => [entity, fields[at] ?? []]))
  return { key: fieldsBeyondKey(readable), response }
}

const LAYOUT = 'flex h-[calc(100dvh-3rem)] min-h-[32rem] flex-col gap-3 px-4 pt-4 pb-3 md:px-6'

/** Nothing is sent with the page: what the visitor may read is not what is shown. */
async function EntityViewedAs({ entity, as }: { entity: string; as: string }) {
  await pageContext('security:manage')
  return (
    <div className={LAYOUT}>
      <ClosedActions entity={entity} actions={['write', 'update', 'delete']}>
        <ViewAs entity={entity} as={as}>
          <EntityBrowser entity={entity} system={isSystemEntity(entity)} />
        </ViewAs>
      </ClosedActions>
    </div>
  )
}

/** What the entity is called, and what its definition forbids for all its records. */
async function shownOf(deps: Deps, entity: string) {
  if (isSystemEntity(entity)) return { closed: [], label: undefined }
  const { definition, schema } = await findEntity(deps, entity)
  const closed = RECORD_ACTIONS.filter((action) => !definition.permissions[action])
  return { closed, label: schema?.label }
}
