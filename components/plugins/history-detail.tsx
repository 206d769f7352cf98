'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Page } from '@/components/shell/page'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { Facts } from '@/components/ui/facts'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/notice'
import { countOf, formatCount, formatDuration } from '@/components/ui/number'
import { Progress } from '@/components/ui/progress'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/state'
import { Time } from '@/components/ui/time'
import { DownloadLog } from './download-log'
import { FileReports } from './file-reports'
import { followInstall } from './follow-install'
import { installOptions, logsOptions } from './install-queries'
import { InstallStatus } from './install-status'
import { OutcomeBar } from './outcome-bar'
import type { FileLog, History } from './types'

/** One install: what it was, how it goes or went, and what became of each file. */
export function HistoryDetail({ id }: { id: string }) {
  const install = useQuery(installOptions(id))
  if (install.error) return <ErrorState error={install.error} onRetry={() => install.refetch()} />
  if (!install.data) return <Loading />
  return <Loaded install={install.data} />
}

function Loaded({ install }: { install: History }) {
  const { id, pluginName, source, version, status, errors } = install
  const live = useLiveFiles(install)
  const logs = useQuery({ ...logsOptions(id), enabled: status !== 'IN_PROGRESS' })
  const files = status === 'IN_PROGRESS' ? live : (logs.data ?? [])
  return (
    <Page
      title={pluginName ?? source}
      aside={
        <>
          <span className="tabular text-muted-foreground">{version}</span>
          <InstallStatus status={status} />
        </>
      }
      actions={<DownloadLog install={install} files={files} />}
    >
      {errors.map((error) => (
        <Notice key={error} tone="destructive">
          {error}
        </Notice>
      ))}
      {status === 'IN_PROGRESS' && <Running install={install} current={live.at(-1)?.path} />}
      <Card title="Install">
        <InstallFacts install={install} />
      </Card>
      <section aria-labelledby="files" className="grid gap-2">
        <h2 id="files" className="font-medium">
          Files
        </h2>
        {logs.error && <ErrorState error={logs.error} onRetry={() => logs.refetch()} />}
        {logs.isPending && status !== 'IN_PROGRESS' ? (
          <Skeleton className="h-64" />
        ) : (
          !logs.error && <FileReports files={files} />
        )}
      </section>
    </Page>
  )
}

function Running({ install, current }: { install: History; current?: string }) {
  const { processedFiles, totalFiles } = install
  return (
    <Card>
      <Progress
        label={current ?? 'Starting'}
        value={totalFiles > 0 ? processedFiles : null}
        max={Math.max(1, totalFiles)}
        text={`${formatCount(processedFiles)} of ${countOf(totalFiles, 'file')}`}
      />
    </Card>
  )
}

function InstallFacts({ install }: { install: History }) {
  const { pluginId, source, sha256, mode, startedAt, durationMs, installedBy } = install
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
              {pluginId}
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
        { label: 'Mode', value: mode === 'atomic' ? 'All files or none' : 'Install what is good' },
        { label: 'Started', value: <Time value={startedAt} /> },
        { label: 'Duration', value: durationMs === null ? null : formatDuration(durationMs) },
        { label: 'By', value: installedBy },
      ]}
    />
  )
}

/** The files of an install that is going on, as they are done. */
function useLiveFiles({ id, status }: History): FileLog[] {
  const [files, setFiles] = useState<FileLog[]>([])
  const client = useQueryClient()
  useEffect(() => {
    if (status !== 'IN_PROGRESS') return
    const seen = new Map<string, FileLog>()
    const keep = (install: History) => client.setQueryData(installOptions(id).queryKey, install)
    return followInstall(id, {
      onFile: (file) => setFiles([...seen.set(file.path, file).values()]),
      onProgress: keep,
      onResult: keep,
      onLost: () => void client.invalidateQueries({ queryKey: installOptions(id).queryKey }),
    })
  }, [id, status, client])
  return files
}

const Loading = () => (
  <Page title={<Skeleton className="h-6 w-64" />}>
    <Skeleton className="h-72 rounded-lg" />
    <Skeleton className="h-64 rounded-lg" />
  </Page>
)
