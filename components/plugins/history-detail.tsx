'use client'
import { useQuery } from '@tanstack/react-query'
import { useOwnCrumb } from '@/components/shell/crumb'
import { Page } from '@/components/shell/page'
import { Card } from '@/components/ui/card'
import { Notice } from '@/components/ui/notice'
import { countOf, formatCount } from '@/components/ui/number'
import { Progress } from '@/components/ui/progress'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/state'
import { CancelInstall } from './cancel-install'
import { ROLLBACK, UPGRADE } from './conflicts/wording'
import { DownloadLog } from './download-log'
import { FileReports } from './file-reports'
import { WarningSummary } from './file-warnings'
import { InstallFacts } from './install-facts'
import { ENTRIES } from './install-kinds'
import { installOptions, logsOptions } from './install-queries'
import { InstallStatus } from './install-status'
import { RollbackAction } from './rollback-action'
import type { History } from './types'
import { useLiveFiles } from './use-live-files'

/** One install: what was installed, its progress or outcome, and the result of each file. */
export function HistoryDetail({ id }: { id: number }) {
  const install = useQuery(installOptions(id))
  if (install.error) return <ErrorState error={install.error} onRetry={() => install.refetch()} />
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
        {logs.error && <ErrorState error={logs.error} onRetry={() => logs.refetch()} />}
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
