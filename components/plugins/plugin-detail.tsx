'use client'
import { useQuery } from '@tanstack/react-query'
import { DatabaseIcon } from 'lucide-react'
import { useOwnCrumb } from '@/components/shell/crumb'
import { Page } from '@/components/shell/page'
import { Card } from '@/components/ui/card'
import { CodeBlock } from '@/components/ui/code-block'
import { Facts } from '@/components/ui/facts'
import { Link } from '@/components/ui/link'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/state'
import { Badge } from '@/components/ui/status'
import { Tabs } from '@/components/ui/tabs'
import { Time } from '@/components/ui/time'
import { useSearch } from '@/lib/query/search'
import { exactJsonText } from '@/lib/values/exact-json'
import { PluginHistory } from './history-list'
import { LocalChanges, layerOptions } from './local-changes'
import { PluginActions } from './plugin-actions'
import { PluginDrift } from './plugin-drift'
import { PluginImage } from './plugin-image'
import { driftOptions, type InstalledPlugin, pluginOptions } from './plugin-queries'
import { type History, versionsSearch } from './searches'

/** One plugin: its contents, its installed versions and its history. */
export function PluginDetail({ id }: { id: string }) {
  const plugin = useQuery(pluginOptions(id))
  const drift = useQuery(driftOptions(id, 0))
  const layer = useQuery(layerOptions(id))
  useOwnCrumb(plugin.data?.name)
  if (plugin.error) return <ErrorState of={plugin} />
  if (!plugin.data) return <Loading />
  const { name, version, description, image, entities, manifest } = plugin.data
  return (
    <Page
      title={
        <span className="flex items-center gap-2.5">
          <PluginImage image={image} />
          <span className="truncate">{name}</span>
        </span>
      }
      aside={<span className="tabular text-muted-foreground">{version}</span>}
      stacked
      description={description}
      actions={<PluginActions plugin={plugin.data} as="buttons" />}
    >
      <Tabs
        aria-label="About the plugin"
        tabs={[
          {
            value: 'overview',
            label: 'Overview',
            content: <Overview plugin={plugin.data} />,
          },
          {
            value: 'entities',
            label: 'Entities',
            count: entities.length,
            content: <EntityLinks names={entities} />,
          },
          {
            value: 'changes',
            label: 'Changes here',
            count: drift.data && drift.data.total + (layer.data?.changes.length ?? 0),
            content: (
              <div className="grid gap-5">
                <LocalChanges id={id} />
                <PluginDrift id={id} />
              </div>
            ),
          },
          {
            value: 'history',
            label: 'History',
            content: (
              <div className="flex h-[36rem] flex-col gap-3">
                <PluginHistory pluginId={id} />
              </div>
            ),
          },
          {
            value: 'manifest',
            label: 'Manifest',
            content: <CodeBlock label="engineplugin.json" code={exactJsonText(manifest, 2)} />,
          },
        ]}
      />
    </Page>
  )
}

function Overview({ plugin }: { plugin: InstalledPlugin }) {
  const { id, signer, author, license, createdAt, updatedAt } = plugin
  return (
    <Card>
      <Facts
        facts={[
          { label: 'ID', value: <code className="font-mono text-xs">{id}</code> },
          signer && {
            label: 'Publisher',
            value: (
              <span className="flex flex-wrap items-center gap-x-2">
                {signer.publisher}
                <span className="font-mono text-xs text-muted-foreground">{signer.keyId}</span>
              </span>
            ),
          },
          { label: 'Author', value: author },
          { label: 'License', value: license },
          { label: 'First installed', value: <Time value={createdAt} /> },
          { label: 'Last installed', value: <Time value={updatedAt} /> },
          { label: 'Versions installed', value: <Versions id={id} /> },
        ]}
      />
    </Card>
  )
}

function Versions({ id }: { id: string }) {
  const { data } = useSearch<Pick<History, 'version'>>('EnginePluginHistory', versionsSearch(id))
  if (!data) return <Skeleton className="w-24" />
  const versions = [...new Set(data.data.map(({ version }) => version ?? 'none'))]
  return (
    <span className="flex flex-wrap gap-1">
      {versions.map((version) => (
        <Badge key={version}>{version}</Badge>
      ))}
    </span>
  )
}

function EntityLinks({ names }: { names: readonly string[] }) {
  if (names.length === 0) {
    return <EmptyState icon={DatabaseIcon} title="This plugin has no entities" />
  }
  return (
    <Card flush>
      <ul className="divide-y">
        {names.map((name) => (
          <li key={name}>
            <Link
              href={`/entities/${encodeURIComponent(name)}`}
              className="flex h-10 items-center gap-2.5 px-4 hover:bg-accent/50 focus-visible:-outline-offset-2"
            >
              <DatabaseIcon aria-hidden className="size-4 text-muted-foreground" />
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const Loading = () => (
  <Page title={<Skeleton className="h-6 w-64" />}>
    <Skeleton className="h-72 rounded-lg" />
  </Page>
)
