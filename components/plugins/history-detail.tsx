'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useOwnCrumb } from '@/components/shell/crumb'
import { Page } from '@/components/shell/page'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { Facts } from '@/components/ui/facts'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/notice'
import { countOf, formatCount, formatDuration } from '@/components/ui/number'
import { Progress } from '@/components/ui/progress'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { Time } from '@/components/ui/time'
import { useSearch } from '@/lib/query/search'
import { CancelInstall } from './cancel-install'
import { ROLLBACK, UPGRADE } from './conflicts/wording'
import { DownloadLog } from './download-log'
import { WarningSummary } from './file-details'
import { FileReports } from './file-reports'
import { followInstall } from './follow-install'
import { SignatureText } from './install-signature'
import { ENTRIES, InstallStatus, OutcomeBar } from './install-status'
import { installOptions, logsOptions } from './plugin-queries'
import { RollbackAction } from './rollback-action'
import { type FileLog, type History, rollbackSearch } from './searches'

/** One install: what was installed, its progress or outcome, and the result of each file. */
export function HistoryDetail({ id }: { id: number }) {
  const install = useQuery(installOptions(id))
  if (install.error) return <ErrorState of={install} />
  if (!install.data) return <Loading />
  return <Loaded install={install.data} />
}

function Loaded({ install }: { install: History }) {
  const { id, kind, pluginName, source, version, status, errors } = install
  useOwnCrumb([pluginName ?? source, version].filter(Boolean).join(' '))
  const live = useLiveFiles(install)
  const logs = useQuery({ ...logsOptions(id), enabled: status !== 'IN_PROGRESS' })
  const files = status === 'IN_PROGRESS' ? live : (logs.data ?? [])
  return (
    <Page
      title={pluginName ?? source}
      aside={
        <>
          <span className="tabular text-muted-foreground">{version}</span>
          <InstallStatus {...install} />
        </>
      }
      actions={
        <>
          <RollbackAction install={install} />
          <DownloadLog install={install} files={files} />
        </>
      }
    >
      {errors.map((error) => (
        <Notice key={error} tone="destructive">
          {error}
        </Notice>
      ))}
      {status === 'IN_PROGRESS' && <Running install={install} current={live.at(-1)?.path} />}
      <Card title={ENTRIES[kind]}>
        <InstallFacts install={install} />
      </Card>
      <section aria-labelledby="files" className="grid gap-2">
        <h2 id="files" className="font-medium">
          {kind === 'install' ? 'Files' : 'Changes'}
        </h2>
        <ErrorState of={logs} />
        {logs.isPending && status !== 'IN_PROGRESS' ? (
          <Skeleton className="h-64" />
        ) : (
          !logs.error && (
            <>
              <WarningSummary files={files} />
              <FileReports files={files} wording={kind === 'rollback' ? ROLLBACK : UPGRADE} />
            </>
          )
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
      <div className="mt-3">
        <CancelInstall {...install} />
      </div>
    </Card>
  )
}

const Loading = () => (
  <Page title={<Skeleton className="h-6 w-64" />}>
    <Skeleton className="h-72 rounded-lg" />
    <Skeleton className="h-64 rounded-lg" />
  </Page>
)

const EntryLink = ({ id }: { id: number }) => (
  <Link href={`/plugins/history/${id}`} className="text-primary hover:underline">
    No. {id}
  </Link>
)

/** What was installed, from what, by whom, and how it went. */
function InstallFacts({ install }: { install: History }) {
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
        install.signature && {
          label: 'Signature',
          value: <SignatureText signature={install.signature} />,
        },
        install.signature?.warning !== undefined && {
          label: 'Warning',
          value: install.signature.warning,
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

/** The files of a running install, as they are processed. */
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
