import { useQuery } from '@tanstack/react-query'
import { BlocksIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useDeferredValue, useState } from 'react'
import { Card } from '@/components/ui/card'
import { Link } from '@/components/ui/link'
import { ListFilter } from '@/components/ui/list-filter'
import { countOf } from '@/components/ui/number'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/state'
import { Badge, Status } from '@/components/ui/status'
import { Time } from '@/components/ui/time'
import { useSearch } from '@/lib/query/search'
import { PluginActions } from './plugin-actions'
import { PluginImage } from './plugin-image'
import { driftOptions } from './plugin-queries'
import {
  ENTITIES_BY_PLUGIN_SEARCH,
  type History,
  PARTIAL_SEARCH,
  PLUGINS_SEARCH,
  type PluginRow,
} from './searches'

/** Only where there is an index of plugins. */
const PluginUpdate = dynamic(() => import('./plugin-update'), { ssr: false })

type Props = { mayInstall: boolean; hasIndex: boolean }
type EntityRow = { name: string; pluginId: string | null }

/** The installed plugins with their contents. */
export function PluginList({ mayInstall, hasIndex }: Props) {
  const [text, setText] = useState('')
  const term = useDeferredValue(text.trim().toLowerCase())
  const plugins = useSearch<PluginRow>('EnginePlugins', PLUGINS_SEARCH)
  const entities = useSearch<EntityRow>('EngineEntities', ENTITIES_BY_PLUGIN_SEARCH)
  if (plugins.isPending) return <Loading />
  if (plugins.error) {
    return (
      <Card>
        <ErrorState of={plugins} />
      </Card>
    )
  }
  if (plugins.data.data.length === 0) return <NoPlugins mayInstall={mayInstall} />
  const all = plugins.data.data
  const found = all.filter((plugin) => matches(plugin, term))
  const countOfPlugin = (id: string) =>
    entities.data?.data.filter(({ pluginId }) => pluginId === id).length
  return (
    <>
      {all.length > SEARCHED_FROM && (
        <ListFilter label="Search plugins" text={text} onText={setText} />
      )}
      <Card flush title="Installed" description={countOf(all.length, 'plugin')}>
        <ul className="divide-y">
          {found.map((plugin) => (
            <PluginListRow
              key={plugin.id}
              {...{ plugin, mayInstall, hasIndex, entities: countOfPlugin(plugin.id) }}
            />
          ))}
        </ul>
        {found.length === 0 && <EmptyState title={`No plugins match “${text}”`} />}
      </Card>
    </>
  )
}

/** Fewer are seen at a glance. */
const SEARCHED_FROM = 10

const matches = ({ id, name, description }: PluginRow, term: string) =>
  [id, name, description].some((text) => text?.toLowerCase().includes(term))

type RowProps = Props & { plugin: PluginRow; entities: number | undefined }

function PluginListRow({ plugin, entities, mayInstall, hasIndex }: RowProps) {
  const { id, name, version, description, image, updatedAt } = plugin
  const href = `/plugins/${encodeURIComponent(id)}`
  return (
    <li className="relative flex items-center gap-3 px-4 py-3 hover:bg-accent/50">
      <PluginImage image={image} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            href={href}
            className="truncate font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring"
          >
            {name}
          </Link>
          <span className="tabular text-muted-foreground">{version}</span>
          <Partial installId={plugin.lastHistoryId} />
          <Differences id={id} />
          {hasIndex && <PluginUpdate {...{ id, name, mayInstall }} />}
        </p>
        <p className="truncate text-[13px] text-muted-foreground">{description ?? id}</p>
      </div>
      <div className="hidden shrink-0 text-right text-xs text-muted-foreground sm:block">
        <p>{entities === undefined ? ' ' : countOf(entities, 'entity', 'entities')}</p>
        <p>
          Installed <Time value={updatedAt} relative />
        </p>
      </div>
      <div className="relative shrink-0">
        <PluginActions plugin={plugin} as="menu" />
      </div>
    </li>
  )
}

/** That some of its files failed, with the way to the reasons. */
function Partial({ installId }: { installId: number | null }) {
  const { data } = useSearch<Pick<History, 'id'>>('EnginePluginHistory', PARTIAL_SEARCH)
  if (!data?.data.some(({ id }) => id === installId)) return null
  return (
    <Link href={`/plugins/history/${installId}`} className="relative shrink-0 hover:underline">
      <Status tone="warning">Partially installed</Status>
    </Link>
  )
}

/** How many records differ from what the plugin gave. */
function Differences({ id }: { id: string }) {
  const { data } = useQuery(driftOptions(id, 0, 1))
  return data && data.total > 0 ? (
    <Badge className="tabular shrink-0">{countOf(data.total, 'change')} here</Badge>
  ) : null
}

function NoPlugins({ mayInstall }: { mayInstall: boolean }) {
  return (
    <Card>
      <EmptyState icon={BlocksIcon} title="No plugins yet">
        {mayInstall ? (
          <>
            Drop a ZIP archive anywhere on this page to preview it. To try one, download the{' '}
            <a
              href="/samples/world-airports.zip"
              className="text-primary underline underline-offset-2"
            >
              world airports sample
            </a>
            .
          </>
        ) : (
          'An administrator can install them.'
        )}
      </EmptyState>
    </Card>
  )
}

const Loading = () => (
  <Card flush title="Installed" description="Loading">
    {['a', 'b', 'c'].map((key) => (
      <div key={key} className="flex h-[66px] items-center gap-3 border-b px-4 last:border-b-0">
        <Skeleton className="size-9" />
        <Skeleton className="w-56" />
      </div>
    ))}
  </Card>
)
