'use client'
import { CopyButton } from '@/components/ui/copy-button'
import { Facts } from '@/components/ui/facts'
import { Link } from '@/components/ui/link'
import { countOf, formatCount, formatDuration } from '@/components/ui/number'
import { Time } from '@/components/ui/time'
import { useSearch } from '@/lib/query/search'
import { OutcomeBar } from './outcome-bar'
import { rollbackSearch } from './searches'
import type { History } from './types'

const EntryLink = ({ id }: { id: number }) => (
  <Link href={`/plugins/history/${id}`} className="text-primary hover:underline">
    No. {id}
  </Link>
)

/** What was installed, from what, by whom, and how it went. */
export function InstallFacts({ install }: { install: History }) {
  const isInstall = install.kind === 'install'
  const undo = useSearch<Pick<History, 'id'>>('EnginePluginHistory', rollbackSearch(install.id))
  const undoneBy = undo.data?.data[0]?.id
  const { pluginId, pluginName, source, sha256, mode, startedAt, durationMs, installedBy } = install
  return (
    <Facts
      facts={[
        {
          label: 'Plugin',
          // The page of an uninstalled plugin is gone.
          value:
            install.kind === 'uninstall'
              ? pluginName
              : pluginId && (
                  <Link
                    href={`/plugins/${encodeURIComponent(pluginId)}`}
                    className="text-primary hover:underline"
                  >
                    {pluginName ?? pluginId}
                  </Link>
                ),
        },
        install.rollbackOf !== null && {
          label: 'Rolled back',
          value: <EntryLink id={install.rollbackOf} />,
        },
        undoneBy !== undefined && { label: 'Rolled back by', value: <EntryLink id={undoneBy} /> },
        isInstall && { label: 'Archive', value: source },
        isInstall && {
          label: 'SHA-256',
          value: (
            <span className="flex items-center gap-1">
              <span className="min-w-0 font-mono text-xs break-all">{sha256}</span>
              <CopyButton text={sha256} label="Copy the hash" />
            </span>
          ),
        },
        !isInstall && { label: 'Records', value: formatCount(install.recordCount) },
        isInstall && {
          label: 'Outcome',
          value: (
            <span className="flex flex-wrap items-center gap-2">
              <OutcomeBar {...install} />
              {formatCount(install.successCount)} of {countOf(install.totalFiles, 'file')} written,{' '}
              {countOf(install.recordCount, 'record')}
            </span>
          ),
        },
        isInstall && {
          label: 'Mode',
          value: mode === 'atomic' ? 'All files or none' : 'Install valid files',
        },
        { label: 'Started', value: <Time value={startedAt} /> },
        { label: 'Duration', value: durationMs === null ? null : formatDuration(durationMs) },
        { label: 'By', value: installedBy },
      ]}
    />
  )
}
