import { CopyButton } from '@/components/ui/copy-button'
import { Facts } from '@/components/ui/facts'
import { Link } from '@/components/ui/link'
import { countOf, formatCount, formatDuration } from '@/components/ui/number'
import { Time } from '@/components/ui/time'
import { OutcomeBar } from './outcome-bar'
import type { History } from './types'

/** What was installed, from what, by whom, and how it went. */
export function InstallFacts({ install }: { install: History }) {
  const { pluginId, pluginName, source, sha256, mode, startedAt, durationMs, installedBy } = install
  return (
    <Facts
      facts={[
        {
          label: 'Plugin',
          value: pluginId && (
            <Link
              href={`/plugins/${encodeURIComponent(pluginId)}`}
              className="text-primary hover:underline"
            >
              {pluginName ?? pluginId}
            </Link>
          ),
        },
        { label: 'Archive', value: source },
        {
          label: 'SHA-256',
          value: (
            <span className="flex items-center gap-1">
              <span className="min-w-0 font-mono text-xs break-all">{sha256}</span>
              <CopyButton text={sha256} label="Copy the hash" />
            </span>
          ),
        },
        {
          label: 'Outcome',
          value: (
            <span className="flex flex-wrap items-center gap-2">
              <OutcomeBar {...install} />
              {formatCount(install.successCount)} of {countOf(install.totalFiles, 'file')} written,{' '}
              {countOf(install.recordCount, 'record')}
            </span>
          ),
        },
        { label: 'Mode', value: mode === 'atomic' ? 'All files or none' : 'Install valid files' },
        { label: 'Started', value: <Time value={startedAt} /> },
        { label: 'Duration', value: durationMs === null ? null : formatDuration(durationMs) },
        { label: 'By', value: installedBy },
      ]}
    />
  )
}
