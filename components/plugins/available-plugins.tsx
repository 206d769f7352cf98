import { useMutation, useQuery } from '@tanstack/react-query'
import { BlocksIcon } from 'lucide-react'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ListFilter } from '@/components/ui/list-filter'
import { Notice } from '@/components/ui/notice'
import { countOf } from '@/components/ui/number'
import { Pager } from '@/components/ui/pager'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/state'
import { Tabs } from '@/components/ui/tabs'
import { Time } from '@/components/ui/time'
import { AvailablePlugin } from './available-plugin'
import { AVAILABLE_SIZE, availableOptions, refreshIndex } from './index-queries'

const STACK = 'grid grid-cols-[minmax(0,1fr)] gap-4'

/** The installed plugins, and those of the index. */
const PluginTabs = ({ installed }: { installed: ReactNode }) => (
  <Tabs
    aria-label="Plugins"
    tabs={[
      {
        value: 'installed',
        label: 'Installed',
        content: <div className={STACK}>{installed}</div>,
      },
      { value: 'available', label: 'Available', content: <AvailablePlugins /> },
    ]}
  />
)
export default PluginTabs

function AvailablePlugins() {
  const [text, setText] = useState('')
  const [page, setPage] = useState(0)
  const term = useDeferredValue(text.trim())
  const found = useQuery(availableOptions(term, page))
  const refresh = useMutation({ mutationFn: refreshIndex })
  if (found.error)
    return (
      <Card>
        <ErrorState
          title="The index of plugins could not be loaded"
          error={found.error}
          onRetry={refresh.mutate}
        />
      </Card>
    )
  const { plugins = null, total = 0, name, loadedAt = null, failure } = found.data ?? {}
  const search = (typed: string) => {
    setText(typed)
    setPage(0)
  }
  return (
    <div className={STACK}>
      {failure && (
        <Notice tone="warning" role="status" title="The index could not be loaded again">
          {failure}. These are the plugins of <Time value={loadedAt} />.
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <ListFilter label="Search available plugins" text={text} onText={search} />
        <Button size="sm" busy={refresh.isPending} onClick={() => refresh.mutate()}>
          Refresh
        </Button>
      </div>
      <Card
        flush
        title={name ?? 'Available'}
        description={
          plugins ? (
            <>
              {countOf(total, 'plugin')} · loaded <Time value={loadedAt} relative />
            </>
          ) : (
            'Loading'
          )
        }
      >
        {plugins ? (
          <ul aria-label="Available plugins" className="divide-y">
            {plugins.map((plugin) => (
              <AvailablePlugin key={`${plugin.id} ${plugin.installedVersion}`} plugin={plugin} />
            ))}
          </ul>
        ) : (
          <Skeleton className="m-4 h-40" />
        )}
        {plugins?.length === 0 && (
          <EmptyState
            icon={BlocksIcon}
            title={term ? `No plugins match “${term}”` : 'The index has no plugins yet'}
          />
        )}
      </Card>
      <Pager
        aria-label="Pages of available plugins"
        {...{ page, total, size: AVAILABLE_SIZE }}
        onPage={setPage}
      />
    </div>
  )
}
